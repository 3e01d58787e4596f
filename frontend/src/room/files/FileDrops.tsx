import { useEffect, useRef, useState } from 'react';
import { isolate } from '../../i18n/isolate.ts';
import { screenTexts, useScreenTexts } from '../../i18n/screens.ts';
import { droppedOf, type GivenFolder, hasFiles, pastedOf } from '../../parts/files/given-files.ts';
import { type FilePlace, placeOf } from '../../stores/files.ts';
import { useRooms } from '../../stores/rooms.ts';
import { showToast } from '../../stores/toasts.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ImageIcon } from '../../ui/file-icons.tsx';
import { focusNearestComposer } from '../../ui/regions.ts';
import { addFiles } from './add-files.ts';
import styles from './FileDrops.module.css';

const THREAD = '[data-testid=thread-panel]';

/** Where a drop would go, and the part of the window that takes it. */
interface Target {
  readonly place: FilePlace;
  readonly area: DOMRect;
}

interface Asked {
  readonly place: FilePlace;
  readonly folder: GivenFolder;
}

/** Takes files that are pasted, or dropped anywhere on a room or a thread. */
export function FileDrops() {
  const { files: texts, completing } = useScreenTexts();
  const [target, setTarget] = useState<Target | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const shown = useRef<FilePlace | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: Target | null) => {
      if (shown.current === (next?.place ?? null)) return;
      shown.current = next?.place ?? null;
      setTarget(next);
    };
    // A drop that nobody takes would replace the page with the file.
    const onDrag = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      const next = targetOf(event.target);
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = next === null ? 'none' : 'copy';
      show(next);
    };
    const onDrop = (event: DragEvent) => {
      const { dataTransfer: data } = event;
      if (data === null || !hasFiles(data)) return;
      event.preventDefault();
      show(null);
      const place = targetOf(event.target)?.place;
      if (place === undefined) return showToast(screenTexts().files.noPlace);
      const { files, folders } = droppedOf(data);
      addFiles(place, files);
      focusNearestComposer(event.target instanceof Element ? event.target : null);
      for (const folder of folders)
        void folder.then(
          (folder) => ask({ place, folder }),
          () => undefined,
        );
    };
    const ask = (next: Asked) => {
      if (next.folder.files.length > 0) setAsked(next);
      else showToast(screenTexts().files.folderEmpty(isolate(next.folder.name)));
    };
    window.addEventListener('dragenter', onDrag, { signal });
    window.addEventListener('dragover', onDrag, { signal });
    window.addEventListener('drop', onDrop, { signal });
    // It has left the window.
    window.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget === null && show(null), {
      signal,
    });
    window.addEventListener('paste', onPaste, { signal });
    return () => controller.abort();
  }, []);

  return (
    <>
      {target !== null && <DropArea {...target} />}
      {asked !== null && (
        <ConfirmDialog
          title={texts.folder(asked.folder.files.length)}
          hint={texts.folderHint(isolate(asked.folder.name))}
          stay={completing.stay}
          confirm={texts.folderSend}
          look="primary"
          onConfirm={() => addFiles(asked.place, asked.folder.files)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
}

function DropArea({ place: { flow, roomId }, area }: Target) {
  const { files: texts } = useScreenTexts();
  const name = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId)?.name) ?? '';
  const { left, top, width, height } = area;
  return (
    <div className={styles.area} style={{ left, top, width, height }} data-testid="drop-area">
      <div className={styles.words}>
        <ImageIcon size={32} />
        <p className={styles.title}>{flow === 'room' ? texts.drop(isolate(name)) : texts.dropThread}</p>
        <p>{texts.dropHint}</p>
      </div>
    </div>
  );
}

function onPaste(event: ClipboardEvent): void {
  const { clipboardData: data, target } = event;
  if (data === null || !hasFiles(data)) return;
  const files = pastedOf(data);
  if (files.length === 0) return;
  // In another field a picture means nothing.
  const isElsewhere =
    target instanceof Element && target.closest('input, textarea:not([data-composer])') !== null;
  if (isElsewhere) return;
  event.preventDefault();
  const place = placeOf(isInThread(target) ? 'thread' : 'room');
  if (place === undefined) return showToast(screenTexts().files.noPlace);
  addFiles(place, files);
  focusNearestComposer(target instanceof Element ? target : null);
}

function isInThread(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(THREAD) !== null;
}

function targetOf(element: EventTarget | null): Target | null {
  if (document.querySelector('dialog[open]') !== null) return null;
  const place = placeOf(isInThread(element) ? 'thread' : 'room');
  const composer = place && document.querySelector(`[data-composer=${place.flow}]`);
  const box = composer?.closest(THREAD) ?? composer?.closest('[data-region=composer]')?.parentElement;
  const area = box?.getBoundingClientRect();
  return place === undefined || area === undefined ? null : { place, area };
}
