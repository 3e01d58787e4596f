import { EmojiText } from './EmojiText.tsx';
import type { Emoji } from './emoji-data.ts';
import { type Tone, withTone } from './skin-tone.ts';

interface EmojiShownProps {
  readonly emoji: Emoji;
  readonly tone: Tone;
}

/** An emoji of the picker, in the skin tone; one of the server as its picture. */
export function EmojiShown({ emoji: { emoji, hasTones }, tone }: EmojiShownProps) {
  if (emoji.startsWith(':')) return <EmojiText text={emoji} />;
  return hasTones ? withTone(emoji, tone) : emoji;
}
