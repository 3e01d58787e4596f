import { useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { smallAddressOf } from '../../parts/files/file-address.ts';
import { kindOf } from '../../parts/files/layout.ts';
import small from '../../parts/files/Thumb.module.css';
import { FileIcon, FilmIcon, ImageIcon, SoundIcon } from '../../ui/file-icons.tsx';
import { useAddress } from '../../ui/use-address.ts';
import styles from './HitRow.module.css';
import { namePieces } from './hit-text.ts';
import { Pieces } from './Pieces.tsx';
import type { Result } from './search-state.ts';

type Files = NonNullable<Message['files']>;
type File = Files[number];

/** Files of one message that are listed. */
const SHOWN = 3;
const ICONS = { image: ImageIcon, video: FilmIcon, audio: SoundIcon, file: FileIcon } as const;

interface HitFilesProps {
  readonly files: Files;
  readonly hits: Result['file_hits'];
}

/** The files of a message that was found: first those in whose name or description something was found. */
export function HitFiles({ files, hits = [] }: HitFilesProps) {
  const { search: texts } = useScreenTexts();
  const byKey = new Map(hits.map((hit) => [hit.key, hit]));
  const ordered = [...files].sort((a, b) => Number(byKey.has(b.key)) - Number(byKey.has(a.key)));
  const left = ordered.length - SHOWN;
  return (
    <span className={styles.files}>
      {ordered.slice(0, SHOWN).map((file) => (
        <span key={file.key} className={styles.file} data-testid="hit-file">
          <Thumb file={file} />
          <span className={styles.fileWords}>
            <span className={styles.fileName} dir="auto">
              <Pieces pieces={namePieces(file.name, byKey.get(file.key)?.name ?? [])} />
            </span>
            {file.alt !== undefined && (byKey.get(file.key)?.alt.length ?? 0) > 0 && (
              <span className={styles.alt} dir="auto">
                <Pieces pieces={namePieces(file.alt, byKey.get(file.key)?.alt ?? [])} />
              </span>
            )}
          </span>
        </span>
      ))}
      {left > 0 && <span className={styles.left}>{texts.files(left)}</span>}
    </span>
  );
}

function Thumb({ file }: { readonly file: File }) {
  const kind = kindOf(file);
  const { address, retry } = useAddress(
    kind === 'image' || file.preview !== undefined ? smallAddressOf(file) : null,
  );
  const [isBroken, setBroken] = useState(false);
  const Icon = ICONS[kind];
  return (
    <span className={`${small.thumb} ${styles.thumb}`}>
      {address === null || isBroken ? (
        <Icon />
      ) : (
        <img
          key={address}
          src={address}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => retry() || setBroken(true)}
        />
      )}
    </span>
  );
}
