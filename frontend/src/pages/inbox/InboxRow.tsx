import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { ActivityRow } from '../../parts/activity/ActivityRow.tsx';
import { wordsOf } from '../../parts/files/message-words.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useDisplayName } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { messagePath } from '../../stores/route.ts';
import { useThreadMarks } from '../../stores/thread-marks.ts';
import { Sentence } from '../../ui/Sentence.tsx';
import { markDone } from './done.ts';
import { type InboxEntry, isEntryRead, markOpened } from './inbox.ts';

/** One entry: why it is there in a sentence, when it came, and how it begins. It leads to its message. */
export function InboxRow({ entry }: { readonly entry: InboxEntry }) {
  const text = useText();
  const { inbox } = useScreenTexts();
  const { message, reason } = entry;
  const { id, room_id: roomId, user_id: userId, username } = message;
  const name = useDisplayName(userId) ?? username;
  const room = useRooms(({ rooms }) => rooms.find((one) => one.id === roomId)?.name);
  // Read marks, of which `isEntryRead` takes the present ones.
  const isMember = useOwnRooms(({ rooms }) => rooms.get(roomId)?.readSeq) !== undefined;
  useThreadMarks();
  const isRead = isEntryRead(entry);
  return (
    <ActivityRow
      roomId={roomId}
      person={{ id: userId, username }}
      lead={
        <>
          {!isRead && <span className="visually-hidden">{inbox.isNew} </span>}
          <Sentence text={inbox.reasons[reason](isolate(name), isolate(room ?? text.room.unnamed(roomId)))} />
        </>
      }
      words={wordsOf(message)}
      at={Date.parse(message.created_at)}
      path={messagePath(roomId, id)}
      state={isRead ? 'done' : 'new'}
      testId="inbox-entry"
      onOpen={() => {
        if (!isMember && !isRead) markOpened(message);
      }}
      done={isRead ? undefined : { label: inbox.done, run: () => markDone([entry]) }}
    />
  );
}
