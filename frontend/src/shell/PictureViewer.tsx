import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { OutboxFile } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { isolate } from '../i18n/isolate.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { FileDialogs } from '../parts/files/FileDialogs.tsx';
import { FileMenu } from '../parts/files/FileMenu.tsx';
import { addressOf, largeAddressOf, smallAddressOf } from '../parts/files/file-address.ts';
import { useFileRights } from '../parts/files/file-rights.ts';
import { IconLink } from '../parts/files/IconLink.tsx';
import { picturesOf } from '../parts/files/layout.ts';
import { useLocalUrl } from '../parts/files/local-urls.ts';
import { useZoom } from '../parts/files/use-zoom.ts';
import { heldMessage } from '../room/message/held-message.ts';
import { type FileMessage, type OpenDialog, useDialogs } from '../stores/dialogs.ts';
import { changedFiles, useFileChanges } from '../stores/file-changes.ts';
import { useRoom } from '../stores/room.ts';
import { messagePath, navigate } from '../stores/route.ts';
import { useThreads } from '../stores/threads.ts';
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

type ViewerProps = Extract<OpenDialog, { kind: 'pictures' }> & { readonly onClose: () => void };

function Viewer({ files: first, at, messageId, of: firstOf, onClose }: ViewerProps) {
  const { files: texts } = useScreenTexts();
  const { files, of } = useCurrent({ files: first, messageId, of: firstOf });
  const [index, show] = useShown(files, first[at]?.key, at);
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const file = files[index];
  const { zoom, zoomBy, reset, handlers } = useZoom(stage, turn);

  useEffect(() => dialog.current?.querySelector<HTMLElement>('[data-close]')?.focus(), []);
  useEnd(file, messageId, onClose);

  function turn(step: -1 | 1): void {
    const next = index + step;
    if (next < 0 || next >= files.length) return;
    show(next);
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
        {...{ file, messageId, of, onClose }}
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
      {file.alt ? <p className={styles.alt}>{file.alt}</p> : <AddAlt file={file} of={of} />}
    </Dialog>
  );
}

/** Which one is shown: the same one after others were deleted, or the one that has its place. */
function useShown(files: readonly OutboxFile[], first: string | null | undefined, at: number) {
  const [wanted, setWanted] = useState({ at, key: first });
  const found = files.findIndex(({ key }) => key !== null && key === wanted.key);
  const index = found >= 0 ? found : Math.min(wanted.at, files.length - 1);
  return [index, (next: number) => setWanted({ at: next, key: files[next]?.key })] as const;
}

/** The pictures as they are now: others may describe and delete them meanwhile. */
function useCurrent({ files, messageId, of }: Pick<ViewerProps, 'files' | 'messageId' | 'of'>) {
  useRoom(() => heldMessage(messageId));
  const message = useThreads(() => heldMessage(messageId));
  const changes = useFileChanges();
  // What is opened from a list of files is not always in the room's messages.
  if (of === null || message === undefined || of.content === undefined)
    return { files: changedFiles(files, changes), of: of && (message ?? of) };
  return { files: picturesOf(message.files ?? []), of: message };
}

/**
 * It closes when somebody has deleted its last picture. The button that opened it may be gone, too: then the message has
 * the focus.
 */
function useEnd(file: OutboxFile | undefined, messageId: number | null, onClose: () => void): void {
  useEffect(() => {
    if (file === undefined) onClose();
  }, [file, onClose]);
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(`[data-message-id="${messageId}"]`)?.focus({ preventScroll: true });
    },
    [messageId],
  );
}

/** Asks the author of a picture that has no description for one. */
function AddAlt({ file, of }: { readonly file: OutboxFile; readonly of: FileMessage | null }) {
  const { files: texts } = useScreenTexts();
  const { mayDescribe } = useFileRights(of);
  const [isAsked, setAsked] = useState(false);
  if (of === null || !file.key || !mayDescribe) return null;
  return (
    <>
      <button type="button" className={styles.addAlt} onClick={() => setAsked(true)}>
        {texts.descriptionAdd}
      </button>
      {isAsked && <FileDialogs asked="describe" file={file} of={of} onClose={() => setAsked(false)} />}
    </>
  );
}

interface ViewerHeadProps {
  readonly file: OutboxFile;
  readonly messageId: number | null;
  readonly of: FileMessage | null;
  /** Which one of how many; null: there is one. */
  readonly position: string | null;
  readonly isWhole: boolean;
  readonly onZoom: (factor: number) => void;
  readonly onClose: () => void;
}

function ViewerHead({ file, messageId, of, position, isWhole, onZoom, onClose }: ViewerHeadProps) {
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
      <FileMenu key={file.key} file={file} of={of} active look="plain" />
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
