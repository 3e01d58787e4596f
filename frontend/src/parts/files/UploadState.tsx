import type { OutboxFile } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { percentOf, useFiles } from '../../stores/files.ts';
import styles from './UploadState.module.css';

interface Progress {
  readonly percent: number;
  readonly words: string;
}

/** How far a file of an unsent message is; null: it is on the server. */
export function useProgress({ upload: id, key }: OutboxFile): Progress | null {
  const { files: texts } = useScreenTexts();
  const upload = useFiles(({ all }) => all.find((one) => one.id === id));
  if (id === undefined || key !== null || upload === undefined) return null;
  const percent = percentOf(upload);
  return { percent, words: upload.isPaused ? texts.paused(percent) : texts.sending(percent) };
}

/** The same over a picture or a film. */
export function UploadState({ file }: { readonly file: OutboxFile }) {
  const progress = useProgress(file);
  if (progress === null) return null;
  return (
    <span className={styles.state} aria-hidden="true" data-testid="upload-state">
      <Bar {...progress} />
      <span className={styles.stateWords}>{progress.words}</span>
    </span>
  );
}

/** At the lower edge of a card, whose line has the words. */
export function UploadBar({ progress }: { readonly progress: Progress | null }) {
  return (
    progress !== null && (
      <span className={styles.state} aria-hidden="true">
        <Bar {...progress} />
      </span>
    )
  );
}

/** Stands in place of the size of a file. A screen reader does not announce each percent. */
export function UploadWords({ progress }: { readonly progress: Progress }) {
  return (
    <span aria-hidden="true" data-testid="upload-state">
      {progress.words}
    </span>
  );
}

function Bar({ percent }: Pick<Progress, 'percent'>) {
  return <span className={styles.bar} style={{ inlineSize: `${percent}%` }} />;
}
