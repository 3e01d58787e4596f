import type { ReactNode } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import type { FileTexts } from '../../i18n/files-en.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { DownloadIcon, FileIcon } from '../../ui/file-icons.tsx';
import { ShieldIcon } from '../../ui/late-icons.tsx';
import { FileMenu } from './FileMenu.tsx';
import styles from './Files.module.css';
import { addressOf } from './file-address.ts';
import { UploadBar, UploadWords, useProgress } from './UploadState.tsx';

interface FileCardProps {
  readonly file: OutboxFile;
  readonly of: FileMessage | null;
  readonly active: boolean;
}

/** A file that is only downloaded. */
export function FileCard({ file, of, active }: FileCardProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const address = addressOf(file);
  const isMalware = file.reason === 'malware';
  const progress = useProgress(file);
  const hint =
    progress !== null ? (
      <UploadWords progress={progress} />
    ) : file.state === 'refused' ? (
      refusedWords(texts, file)
    ) : file.state === 'checking' ? (
      texts.checking
    ) : (
      `${extensionOf(file.name)}${fileSize(text, file.size)}`
    );
  const content = (
    <>
      <span className={styles.badge} data-refused={file.state === 'refused'} data-malware={isMalware}>
        {isMalware ? <ShieldIcon /> : <FileIcon />}
      </span>
      <FileLines name={file.name} hint={hint} />
    </>
  );
  if (address === null) {
    return (
      <div className={styles.card} data-testid="file">
        {content}
        <FileMenu {...{ file, of, active }} look="plain" />
        <UploadBar progress={progress} />
      </div>
    );
  }
  return (
    <div className={styles.card}>
      <a
        className={styles.cardLink}
        href={address}
        download={file.name}
        tabIndex={active ? 0 : -1}
        data-testid="file"
      >
        <span className="visually-hidden">{texts.download} </span>
        {content}
        <span className={styles.fetch}>
          <DownloadIcon />
        </span>
      </a>
      <FileMenu {...{ file, of, active }} look="plain" />
    </div>
  );
}

/** Why a file was removed. */
export function refusedWords(
  { refused, refusedBefore }: FileTexts['files'],
  { reason }: Pick<OutboxFile, 'reason'>,
): string {
  return reason === undefined ? refusedBefore : refused[reason];
}

interface FileLinesProps {
  readonly name: string;
  readonly hint: ReactNode;
}

/** The name of a file, whose end always shows, and a line beneath it. */
export function FileLines({ name, hint }: FileLinesProps) {
  const end = Math.max(0, name.length - 9);
  return (
    <span className={styles.lines}>
      <span className="visually-hidden">{name} </span>
      <span className={styles.name} dir="auto" title={name} aria-hidden="true">
        <span className={styles.nameStart}>{name.slice(0, end)}</span>
        <span>{name.slice(end)}</span>
      </span>
      <span className={styles.hint}>{hint}</span>
    </span>
  );
}

function extensionOf(name: string): string {
  const extension = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1];
  return extension === undefined ? '' : `${extension.toUpperCase()} · `;
}
