import type { OutboxFile } from '../../../../client/index.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { DownloadIcon } from '../../ui/file-icons.tsx';
import styles from './Files.module.css';

interface IconLinkProps {
  readonly file: Pick<OutboxFile, 'name'>;
  readonly address: string;
  readonly active: boolean;
}

/** Downloads a file. */
export function IconLink({ file, address, active }: IconLinkProps) {
  const { files: texts } = useScreenTexts();
  const label = texts.downloadOf(isolate(file.name));
  return (
    <a
      className={styles.iconLink}
      href={address}
      download={file.name}
      tabIndex={active ? 0 : -1}
      aria-label={label}
      title={label}
    >
      <DownloadIcon />
    </a>
  );
}
