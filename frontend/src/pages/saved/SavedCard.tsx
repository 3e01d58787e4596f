import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { MessageCard } from '../../room/message/MessageCard.tsx';
import { useChanges } from '../../stores/changes.ts';
import { Button } from '../../ui/Button.tsx';
import { Note, NoteEditor } from './SavedNote.tsx';

interface SavedCardProps {
  readonly message: Message;
  /** As the server has it. */
  readonly note: string;
  readonly room: string | undefined;
  onTake(note: string): void;
}

/** A saved message, with the user's note. A note is sent like every change: it waits while the device is offline. */
export function SavedCard({ message, note: loaded, room, onTake }: SavedCardProps) {
  const { savedPage: texts } = useScreenTexts();
  const button = useRef<HTMLButtonElement>(null);
  const [isEditing, setEditing] = useState(false);
  const wasEditing = useRef(false);
  const waiting = useChanges(({ byMessage }) =>
    byMessage.get(message.id)?.list.findLast(({ wanted }) => wanted.kind === 'saved'),
  )?.wanted;
  const sent = waiting?.kind === 'saved' ? waiting.note : undefined;
  const note = sent ?? loaded;

  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);

  function save(next: string): void {
    setEditing(false);
    if (next === note) return;
    useChanges.getState().changes?.make(message.room_id, message.id, { kind: 'saved', on: true, note: next });
  }

  const shown = isEditing ? (
    <NoteEditor note={note} onSave={save} onLeave={() => setEditing(false)} />
  ) : (
    note !== '' && <Note note={note} />
  );
  return (
    <MessageCard message={message} room={room} note={shown}>
      {!isEditing && (
        <>
          <Button ref={button} look="quiet" onClick={() => setEditing(true)}>
            {note === '' ? texts.addNote : texts.editNote}
          </Button>
          <Button look="quiet" onClick={() => onTake(note)}>
            {texts.take}
          </Button>
        </>
      )}
    </MessageCard>
  );
}
