import type { OutboxFile } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { percentOf, useFiles } from '../../stores/files.ts';
import styles from './Files.module.css';

/** How far a file of an unsent message is, over what shows it. */
export function UploadState({ file: { upload: id, key } }: { readonly file: OutboxFile }) {
  const { files: texts } = useScreenTexts();
  const upload = useFiles(({ all }) => all.find((one) => one.id === id));
  if (id === undefined || key !== null || upload === undefined) return null;
  const percent = percentOf(upload);
  return (
    <span className={styles.state} aria-hidden="true" data-testid="upload-state">
      <span className={styles.bar} style={{ inlineSize: `${percent}%` }} />
      <span className={styles.stateWords}>
        {upload.isPaused ? texts.paused(percent) : texts.sending(percent)}
      </span>
    </span>
  );
}
