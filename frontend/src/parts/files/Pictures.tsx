import { useMemo, useState } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { fileSize } from '../../i18n/file-size.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { FileMessage } from '../../stores/dialogs.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { ImageIcon } from '../../ui/file-icons.tsx';
import { useAddress } from '../../ui/use-address.ts';
import { blurStyle } from './blur.ts';
import { FileMenu } from './FileMenu.tsx';
import styles from './Files.module.css';
import { smallAddressOf } from './file-address.ts';
import { useLocalUrl } from './local-urls.ts';
import { UploadState } from './UploadState.tsx';

interface PicturesProps {
  readonly files: readonly OutboxFile[];
  readonly messageId: number | null;
  readonly of: FileMessage | null;
  readonly active: boolean;
}

/** More pictures are behind the last one. */
const SHOWN = 4;

/** The pictures of a message, as a grid of four at most. Each opens the viewer. */
export function Pictures({ files, messageId, of, active }: PicturesProps) {
  const shown = files.slice(0, SHOWN);
  return (
    <div className={styles.grid} data-count={shown.length}>
      {shown.map((file, index) => (
        <PictureTile
          // One that was deleted moves the others up.
          key={String(10 * files.length + index)}
          file={file}
          of={of}
          more={index === SHOWN - 1 ? files.length - SHOWN : 0}
          active={active}
          onOpen={() => useDialogs.getState().show({ kind: 'pictures', files, at: index, messageId, of })}
        />
      ))}
    </div>
  );
}

interface PictureTileProps {
  readonly file: OutboxFile;
  readonly of: FileMessage | null;
  /** How many are behind it. */
  readonly more: number;
  readonly active: boolean;
  readonly onOpen: () => void;
}

function PictureTile({ file, of, more, active, onOpen }: PictureTileProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const local = useLocalUrl(file);
  const remote = useAddress(smallAddressOf(file));
  const [isBroken, setBroken] = useState(false);
  const [isThere, setThere] = useState(false);
  const isSettled = isBroken || isThere;
  const source = local ?? remote.address;
  const blur = useMemo(() => blurStyle(isSettled ? undefined : file.blur), [isSettled, file.blur]);
  const words = file.alt || texts.pictureOf(isolate(file.name));
  const tile = (
    <button
      type="button"
      className={styles.tile}
      style={blur}
      tabIndex={active ? 0 : -1}
      aria-label={more > 0 ? `${texts.open(words)}, ${texts.more(more)}` : texts.open(words)}
      onClick={onOpen}
      data-testid="picture"
    >
      {source !== null && !isBroken ? (
        <img
          key={source}
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setThere(true)}
          onError={() => (local === null && remote.retry()) || setBroken(true)}
        />
      ) : (
        <span className={styles.missing} aria-hidden="true">
          <ImageIcon />
          <span className={styles.missingName}>{file.name}</span>
          <span>
            {isBroken ? texts.gone : file.state === 'checking' ? texts.checking : fileSize(text, file.size)}
          </span>
        </span>
      )}
      {more > 0 && <span className={styles.more}>{texts.more(more)}</span>}
      <UploadState file={file} />
    </button>
  );
  return (
    <div className={styles.cell}>
      {tile}
      {more === 0 && <FileMenu {...{ file, of, active }} look="over" />}
    </div>
  );
}
