import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { OutboxFile } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { isolate } from '../i18n/isolate.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { addressOf, largeAddressOf, smallAddressOf } from '../parts/files/file-address.ts';
import { IconLink } from '../parts/files/IconLink.tsx';
import { useLocalUrl } from '../parts/files/local-urls.ts';
import { useZoom } from '../parts/files/use-zoom.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useRoom } from '../stores/room.ts';
import { messagePath, navigate } from '../stores/route.ts';
import { IconButton } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { LeftIcon, RightIcon, ToChatIcon, ZoomInIcon, ZoomOutIcon } from '../ui/file-icons.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { useAddress } from '../ui/use-address.ts';
import styles from './PictureViewer.module.css';

/** Shows the pictures of a message, one at a time, as large as the window. */
export function PictureViewer({ onClose }: { readonly onClose: () => void }) {
  const open = useDialogs((store) => store.open);
  const [first] = useState(open);
  return first.kind === 'pictures' ? <Viewer {...first} onClose={onClose} /> : null;
}

interface ViewerProps {
  readonly files: readonly OutboxFile[];
  readonly at: number;
  readonly messageId: number | null;
  readonly onClose: () => void;
}

function Viewer({ files, at, messageId, onClose }: ViewerProps) {
  const { files: texts } = useScreenTexts();
  const [index, setIndex] = useState(at);
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const file = files[index];
  const { zoom, zoomBy, reset, handlers } = useZoom(stage, turn);

  useEffect(() => dialog.current?.querySelector<HTMLElement>('[data-close]')?.focus(), []);

  function turn(step: -1 | 1): void {
    const next = index + step;
    if (next < 0 || next >= files.length) return;
    setIndex(next);
    reset();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => turn(-1),
      ArrowRight: () => turn(1),
      '+': () => zoomBy(1.5),
      '=': () => zoomBy(1.5),
      '-': () => zoomBy(1 / 1.5),
      '0': reset,
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  if (file === undefined) return null;
  return (
    <Dialog
      ref={dialog}
      className={styles.viewer}
      onClose={onClose}
      onKeyDown={onKeyDown}
      aria-label={texts.viewer}
    >
      <ViewerHead
        {...{ file, messageId, onClose }}
        position={files.length > 1 ? texts.position(index + 1, files.length) : null}
        isWhole={zoom.scale === 1}
        onZoom={zoomBy}
      />
      <div ref={stage} className={styles.stage} data-zoomed={zoom.scale > 1} {...handlers}>
        <Picture
          key={file.upload ?? file.key}
          file={file}
          transform={`translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})`}
        />
      </div>
      {index > 0 && (
        <IconButton
          label={texts.previous}
          className={`${styles.turn} ${styles.before}`}
          onClick={() => turn(-1)}
        >
          <LeftIcon />
        </IconButton>
      )}
      {index < files.length - 1 && (
        <IconButton label={texts.next} className={`${styles.turn} ${styles.after}`} onClick={() => turn(1)}>
          <RightIcon />
        </IconButton>
      )}
      {file.alt && <p className={styles.alt}>{file.alt}</p>}
    </Dialog>
  );
}

interface ViewerHeadProps {
  readonly file: OutboxFile;
  readonly messageId: number | null;
  /** Which one of how many; null: there is one. */
  readonly position: string | null;
  readonly isWhole: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onClose: () => void;
}

function ViewerHead({ file, messageId, position, isWhole, onZoom, onClose }: ViewerHeadProps) {
  const text = useText();
  const { files: texts } = useScreenTexts();
  const roomId = useRoom(({ room }) => room?.id);
  const address = addressOf(file);
  return (
    <header className={styles.head}>
      <h2 className={styles.title} dir="auto">
        {file.name}
      </h2>
      <p className={styles.position} role="status">
        {position}
      </p>
      <IconButton label={texts.zoomOut} aria-disabled={isWhole} onClick={() => onZoom(1 / 1.5)}>
        <ZoomOutIcon />
      </IconButton>
      <IconButton label={texts.zoomIn} onClick={() => onZoom(1.5)}>
        <ZoomInIcon />
      </IconButton>
      {messageId !== null && roomId !== undefined && (
        <IconButton
          label={texts.showInChat}
          onClick={() => {
            onClose();
            navigate(messagePath(roomId, messageId));
          }}
        >
          <ToChatIcon />
        </IconButton>
      )}
      {address !== null && <IconLink file={file} address={address} active />}
      <IconButton label={text.dialogs.close} data-close onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </header>
  );
}

function Picture({ file, transform }: { readonly file: OutboxFile; readonly transform: string }) {
  const { files: texts } = useScreenTexts();
  const local = useLocalUrl(file);
  const large = useAddress(largeAddressOf(file));
  const [isBroken, setBroken] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const small = local ?? smallAddressOf(file);
  const source = large.address ?? local;
  const { width, height } = file;
  const style = {
    transform,
    ...(width !== undefined && height !== undefined && { aspectRatio: width / height }),
  };
  if (source === null || isBroken)
    return <p className={styles.broken}>{file.state === 'checking' ? texts.checking : texts.gone}</p>;
  return (
    <>
      {!isLoaded && small !== null && small !== source && (
        <img className={styles.picture} src={small} alt="" style={style} draggable={false} />
      )}
      <img
        className={styles.picture}
        src={source}
        alt={file.alt || texts.pictureOf(isolate(file.name))}
        style={style}
        width={width}
        height={height}
        draggable={false}
        onLoad={() => setLoaded(true)}
        onError={() => large.retry() || setBroken(true)}
        data-testid="viewed"
      />
    </>
  );
}
