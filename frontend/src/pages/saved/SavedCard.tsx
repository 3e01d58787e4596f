import { useEffect, useRef, useState } from 'react';
import type { Message } from '../../../../client/index.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ActivityRow } from '../../parts/activity/ActivityRow.tsx';
import { wordsOf } from '../../parts/files/message-words.ts';
import { useChanges } from '../../stores/changes.ts';
import { useDisplayName } from '../../stores/people.ts';
import { messagePath } from '../../stores/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { CloseIcon, PencilIcon } from '../../ui/icons.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './SavedNote.module.css';
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
  const name = useDisplayName(message.user_id) ?? message.username;
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
  const { id, room_id: roomId, user_id: userId, username, created_at: at } = message;
  return (
    <ActivityRow
      roomId={roomId}
      person={{ id: userId, username }}
      lead={<Sentence text={texts.lead(isolate(name), room === undefined ? null : isolate(room))} />}
      words={wordsOf(message)}
      at={Date.parse(at)}
      path={messagePath(roomId, id)}
      state="kept"
      testId="message-card"
      actions={
        isEditing ? undefined : (
          <IconButton
            ref={button}
            label={note === '' ? texts.addNote : texts.editNote}
            onClick={() => setEditing(true)}
          >
            <PencilIcon size={18} />
          </IconButton>
        )
      }
      done={
        isEditing ? undefined : { label: texts.take, icon: <CloseIcon size={18} />, run: () => onTake(note) }
      }
    >
      {shown !== false && <div className={styles.under}>{shown}</div>}
    </ActivityRow>
  );
}
