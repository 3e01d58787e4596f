import { type RefObject, useEffect, useRef } from 'react';
import type { OutboxFile } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useFileLimits } from '../../stores/file-limits.ts';
import { offerPlace, useFiles } from '../../stores/files.ts';
import { IconButton } from '../../ui/Button.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { addFiles } from '../files/add-files.ts';
import styles from './Composer.module.css';

interface ComposerFilesProps {
  readonly flow: 'room' | 'thread';
  readonly place: string;
  readonly roomId: number;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onFiles: (has: boolean) => void;
}

const FileTray = lazyPart(async () => (await import('../../parts/files/late.ts')).FileTray);

/** The button that chooses files, and those that wait to be sent. Nothing where the server takes none. */
export function ComposerFiles({ flow, place, roomId, field, onFiles }: ComposerFilesProps) {
  const { files: texts } = useScreenTexts();
  const limits = useFileLimits();
  const input = useRef<HTMLInputElement>(null);
  const waiting = useFiles(({ all }) => all.filter((upload) => upload.place === place).length);
  const sendable = useFiles(({ all }) => all.some((one) => one.place === place && one.refusal === null));
  const isOn = limits !== null;

  useEffect(() => (isOn ? offerPlace({ flow, roomId, place }) : undefined), [isOn, flow, roomId, place]);
  useEffect(() => onFiles(sendable), [sendable, onFiles]);

  if (!isOn) return null;
  return (
    <>
      {waiting > 0 && <FileTray place={place} onLeave={() => field.current?.focus()} />}
      <IconButton
        label={texts.attach}
        className={styles.attach}
        // A tap here leaves the focus in the field, and a phone's keyboard open.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => input.current?.click()}
      >
        <PlusIcon />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid="file-input"
        onChange={({ currentTarget }) => {
          addFiles({ flow, roomId, place }, [...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
          field.current?.focus();
        }}
      />
    </>
  );
}

/** The files that wait here go with the next message. Undefined: there are none. */
export function takeFiles(place: string): readonly OutboxFile[] | undefined {
  const files = useFiles.getState().uploads?.take(place) ?? [];
  return files.length > 0 ? files : undefined;
}
