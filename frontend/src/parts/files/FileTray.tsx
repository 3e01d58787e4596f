import { useRef, useState } from 'react';
import type { Upload } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { percentOf, useFiles } from '../../stores/files.ts';
import { Apart } from '../../ui/Apart.tsx';
import { FileIcon, FilmIcon, ImageIcon, SoundIcon } from '../../ui/file-icons.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { AltDialog } from './AltDialog.tsx';
import { FileLines } from './FileCard.tsx';
import styles from './FileTray.module.css';
import { kindOf } from './layout.ts';
import { useLocalUrl } from './local-urls.ts';
import small from './Thumb.module.css';

const ICONS = { image: ImageIcon, video: FilmIcon, audio: SoundIcon, file: FileIcon } as const;

interface FileTrayProps {
  readonly place: string;
  /** The last file has gone, and with it the button that had the focus. */
  readonly onLeave: () => void;
}

/** The files that go with the next message. */
export function FileTray({ place, onLeave }: FileTrayProps) {
  const { files: texts } = useScreenTexts();
  const all = useFiles((store) => store.all);
  const waiting = all.filter((upload) => upload.place === place);
  const list = useRef<HTMLUListElement>(null);

  function remove(id: string): void {
    const index = waiting.findIndex((upload) => upload.id === id);
    useFiles.getState().uploads?.remove(id);
    const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
    const next = buttons[index + 1] ?? buttons[index - 1];
    if (next === undefined) onLeave();
    else next.focus();
  }

  return (
    <ul ref={list} className={styles.tray} aria-label={texts.tray} data-testid="tray">
      {waiting.map((upload) => (
        <TrayItem key={upload.id} upload={upload} onRemove={() => remove(upload.id)} />
      ))}
    </ul>
  );
}

interface TrayItemProps {
  readonly upload: Upload;
  readonly onRemove: () => void;
}

function TrayItem({ upload, onRemove }: TrayItemProps) {
  const { files: texts } = useScreenTexts();
  const [isDescribing, setDescribing] = useState(false);
  const kind = kindOf({ type: upload.type });
  const isImage = kind === 'image';
  const KindIcon = ICONS[kind];
  const name = isolate(upload.name);
  return (
    <li className={styles.item} data-refused={upload.refusal !== null} data-testid="tray-item">
      <span className={small.thumb}>
        {isImage ? <Thumb upload={upload} /> : <KindIcon />}
        {isImage && (
          <button
            type="button"
            className={styles.alt}
            aria-label={texts.describe(name)}
            title={texts.describe(name)}
            data-done={Boolean(upload.alt)}
            onClick={() => setDescribing(true)}
          />
        )}
      </span>
      <FileLines name={upload.name} hint={<ItemState upload={upload} />} />
      <button
        type="button"
        className={styles.remove}
        data-remove
        aria-label={texts.remove(name)}
        title={texts.remove(name)}
        onClick={onRemove}
      >
        <CloseIcon size={16} />
      </button>
      {!upload.isComplete && upload.refusal === null && (
        <span
          className={styles.progress}
          role="progressbar"
          aria-label={name}
          aria-valuenow={percentOf(upload)}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <span style={{ inlineSize: `${percentOf(upload)}%` }} />
        </span>
      )}
      {isDescribing && (
        <Apart>
          <AltDialog
            name={upload.name}
            alt={upload.alt ?? ''}
            onSave={(alt) => {
              useFiles.getState().uploads?.setAlt(upload.id, alt);
              setDescribing(false);
            }}
            onClose={() => setDescribing(false)}
          />
        </Apart>
      )}
    </li>
  );
}

function Thumb({ upload: { id, key, type } }: { readonly upload: Upload }) {
  const url = useLocalUrl({ upload: id, key, type });
  const [isBroken, setBroken] = useState(false);
  if (url === null || isBroken) return <ImageIcon />;
  return <img src={url} alt="" draggable={false} onError={() => setBroken(true)} />;
}

/** The same bytes would fail again. */
const AGAIN: ReadonlySet<Upload['refusal']> = new Set(['choose_again', 'unreadable', 'broken']);

/** What is going on with it, and what can be done about a failure. */
function ItemState({ upload }: { readonly upload: Upload }) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const { id, refusal, isComplete, isPaused, size } = upload;
  const input = useRef<HTMLInputElement>(null);
  if (refusal !== null) {
    const again = AGAIN.has(refusal);
    return (
      <span className={styles.refusal}>
        <span role="alert">{texts.refusal(refusal)}</span>{' '}
        {refusal !== 'malware' && (
          <button
            type="button"
            onClick={() => (again ? input.current?.click() : useFiles.getState().uploads?.retry(id))}
          >
            {again ? texts.chooseAgain : texts.retry}
          </button>
        )}
        {again && (
          <input
            ref={input}
            type="file"
            hidden
            onChange={({ currentTarget: { files } }) =>
              files?.[0] && useFiles.getState().uploads?.retry(id, files[0])
            }
          />
        )}
      </span>
    );
  }
  if (isComplete) return fileSize(text, size);
  const percent = percentOf(upload);
  return isPaused ? texts.paused(percent) : `${fileSize(text, size)} · ${texts.uploading(percent)}`;
}
