import { type DragEvent, useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { hasFiles, pastedOf } from '../files/given-files.ts';
import { closePicture, type OpenPicture, openPicture } from './make-picture.ts';
import { pictureError } from './picture-error.ts';

/** A picture on its way from where the user has it to the dialog that cuts it. `isOn`: the server takes files. */
export function usePictureField(isOn: boolean) {
  const text = useText();
  const screen = useScreenTexts();
  const [picture, setPicture] = useState<OpenPicture | null>(null);
  const [isOver, setOver] = useState(false);
  const [busy, setBusy] = useState(false);
  /** What was done. */
  const [note, setNote] = useState('');
  const [error, setError] = useState('');

  async function run(task: () => Promise<void>): Promise<void> {
    if (busy) return;
    setBusy(true);
    setNote('');
    setError('');
    await task().catch((cause: unknown) => setError(pictureError(text, screen, cause)));
    setBusy(false);
  }

  function take(file: File | undefined): void {
    if (file === undefined || picture !== null) return;
    void run(async () => {
      const opened = await openPicture(file);
      if (opened === null) setError(screen.pictures.unreadable);
      else setPicture(opened);
    });
  }

  function close(): void {
    if (picture !== null) closePicture(picture);
    setPicture(null);
  }

  // The page takes files for rooms alone, and would say that there is none.
  const drops = {
    onDragOver: (event: DragEvent) => {
      if (!isOn || !hasFiles(event.dataTransfer)) return;
      event.stopPropagation();
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
      setOver(true);
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!isOn || !hasFiles(event.dataTransfer)) return;
      event.stopPropagation();
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    },
  };

  usePastedPicture(isOn, take);
  return { picture, isOver, busy, note, error, run, take, close, setNote, drops };
}

/** A picture that is pasted anywhere on the page. */
function usePastedPicture(isOn: boolean, take: (file: File | undefined) => void): void {
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData: data } = event;
    if (!isOn || data === null || !hasFiles(data) || document.querySelector('dialog[open]') !== null) return;
    const [file] = pastedOf(data);
    if (file === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    take(file);
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => onPaste(event);
    document.addEventListener('paste', listener);
    return () => document.removeEventListener('paste', listener);
  }, []);
}
