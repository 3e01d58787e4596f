import styles from './EmojiPicker.module.css';
import { EmojiShown } from './EmojiShown.tsx';
import type { Emoji } from './emoji-data.ts';
import type { Tone } from './skin-tone.ts';

interface EmojiPreviewProps {
  readonly emoji: Emoji | undefined;
  readonly tone: Tone;
}

/** The active emoji in large, with its names. The grid says the same to those who do not see it. */
export function EmojiPreview({ emoji, tone }: EmojiPreviewProps) {
  return (
    <p className={styles.preview} aria-hidden="true">
      {emoji !== undefined && (
        <>
          <span className={styles.large}>
            <EmojiShown emoji={emoji} tone={tone} />
          </span>
          <span className={styles.names}>
            <span className={styles.name}>{emoji.label}</span>
            <span className={styles.code}>{emoji.codes[0] !== undefined && `:${emoji.codes[0]}:`}</span>
          </span>
        </>
      )}
    </p>
  );
}
