import type { MouseEvent } from 'react';
import { excerptOf } from '../../../../protocol/excerpt.ts';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { fullTime, listTime } from '../../i18n/time.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useDisplayName } from '../../stores/people.ts';
import { useRooms } from '../../stores/rooms.ts';
import { messagePath, navigate } from '../../stores/route.ts';
import { useThreadMarks } from '../../stores/thread-marks.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import styles from './Inbox.module.css';
import { type InboxEntry, markOpened } from './inbox.ts';

/** One entry: why it is there in a sentence, when it came, and how it begins. It leads to its message. */
export function InboxRow({ entry: { message, reason, read } }: { readonly entry: InboxEntry }) {
  const text = useText();
  const { inbox } = useScreenTexts();
  const { id, room_id: roomId, user_id: userId, username, content, seq, thread_id: threadId } = message;
  const name = useDisplayName(userId) ?? username;
  const room = useRooms(({ rooms }) => rooms.find((one) => one.id === roomId)?.name);
  const roomMark = useOwnRooms(({ rooms }) => rooms.get(roomId)?.readSeq);
  const threadMark = useThreadMarks(({ marks }) => marks.get(threadId ?? id));
  const isInRoom = threadId === undefined && roomMark !== undefined;
  // What this device knows of the mark is later than what the page of the inbox said.
  const isRead = isInRoom ? seq <= roomMark : read || seq <= (threadMark ?? 0);
  const at = Date.parse(message.created_at);
  const path = messagePath(roomId, id);

  function open(event: MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (roomMark === undefined && !isRead) markOpened(message);
    navigate(path);
  }

  return (
    <li>
      <a href={path} className={styles.row} data-read={isRead} data-testid="inbox-entry" onClick={open}>
        <Avatar userId={userId} username={username} size="small" />
        <span className={styles.text}>
          <span className={styles.head}>
            <span className={styles.why}>
              {!isRead && <span className="visually-hidden">{inbox.isNew} </span>}
              <Sentence
                text={inbox.reasons[reason](isolate(name), isolate(room ?? text.room.unnamed(roomId)))}
              />
            </span>
            <time className={styles.time} dateTime={message.created_at} title={fullTime(text, at)}>
              {listTime(text, at, Date.now())}
            </time>
          </span>
          {content !== '' && (
            <span className={styles.excerpt} dir="auto">
              {excerptOf(content)}
            </span>
          )}
        </span>
      </a>
    </li>
  );
}
