import { memo } from 'react';
import { useText } from '../../i18n/catalogue.ts';
import { isolate } from '../../i18n/isolate.ts';
import { listTime } from '../../i18n/time.ts';
import { CalledLine } from '../../parts/activity/CalledLine.tsx';
import { goToRoom, roomPath } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Door } from '../../ui/Door.tsx';
import { MoreIcon, PencilIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { PairAvatar } from '../../ui/PairAvatar.tsx';
import { Sentence } from '../../ui/Sentence.tsx';
import { UnreadBadge } from '../../ui/UnreadBadge.tsx';
import styles from './RoomRow.module.css';
import row from './Row.module.css';
import { isPersonal, isUnread, type LastMessage, type RoomEntry } from './room-entry.ts';
import type { ListShape } from './row-heights.ts';

interface RoomRowProps {
  readonly entry: RoomEntry;
  readonly current: boolean;
  /** The last message stands beneath the name. */
  readonly hasLast: boolean;
  readonly shape: ListShape;
  /** From 1, for assistive technology: only the rows in sight are in the document. */
  readonly position: number;
  readonly size: number;
}

/** One room of the list: its door, its name, whether it has a draft, and how much in it is unread. */
export const RoomRow = memo(function RoomRow({
  entry,
  current,
  hasLast,
  shape,
  position,
  size,
}: RoomRowProps) {
  const text = useText();
  const { id, name, person, online, unread, mentions, isMuted, last } = entry;
  // The open room shows its draft itself.
  const hasDraft = entry.hasDraft && !current;

  return (
    <li
      className={styles.item}
      data-room={id}
      data-tall={hasLast}
      aria-posinset={position}
      aria-setsize={size}
    >
      <a
        className={`${row.row} ${styles.room}`}
        href={roomPath(id)}
        onClick={inThisTab(() => goToRoom(id))}
        aria-current={current ? 'page' : undefined}
        data-unread={isUnread(entry)}
        data-muted={isMuted}
        data-testid="room"
        title={shape === 'rail' ? name : undefined}
      >
        <Figure entry={entry} />
        <span className={styles.text}>
          <span className={styles.name} title={name} data-name="">
            {name}
          </span>
          {hasLast && last !== null && (
            <LastLine last={last} isDirect={person !== null} isCalled={mentions > 0} />
          )}
        </span>
        <span className={styles.side}>
          {shape === 'phone' && last !== null && (
            <time className={styles.time} dateTime={new Date(last.at).toISOString()}>
              {listTime(text, last.at, Date.now())}
            </time>
          )}
          <span className={styles.marks}>
            {hasDraft && (
              <span className={styles.draft} title={text.sidebar.draft}>
                <PencilIcon size={16} />
                <span className="visually-hidden" data-testid="room-draft">
                  {text.sidebar.draft}
                </span>
              </span>
            )}
            <UnreadBadge count={unread} personal={isPersonal(entry)} />
            {mentions > 0 && <span className="visually-hidden">{text.sidebar.mentions(mentions)}</span>}
            {isMuted && <span className="visually-hidden">{text.sidebar.muted}</span>}
            {online && <span className="visually-hidden">{text.connection.online}</span>}
          </span>
        </span>
      </a>
      <button
        type="button"
        className={styles.menu}
        aria-label={text.sidebar.menu(name)}
        aria-haspopup="dialog"
        data-row-menu=""
        tabIndex={-1}
      >
        <MoreIcon size={18} />
      </button>
    </li>
  );
});

/** What stands for a room: its door, a person, or several. */
function Figure({ entry }: { readonly entry: RoomEntry }) {
  const { id, name, emoji, hue, person, people, online } = entry;
  if (person !== null)
    return <Avatar size="list" userId={person.id} username={person.username} online={online} />;
  if (people !== null) return <PairAvatar people={people} />;
  return <Door size="list" roomId={id} name={name} emoji={emoji} hue={hue} isAjar={isUnread(entry)} />;
}

/** The last message and its author, on one line. */
function LastLine({
  last: { author, excerpt, files },
  isDirect,
  isCalled,
}: {
  readonly last: LastMessage;
  readonly isDirect: boolean;
  /** An unread message mentions the reader. */
  readonly isCalled: boolean;
}) {
  const text = useText();
  const words = excerpt || text.sidebar.lastFiles(files);
  // The row of a person has their name already.
  const line =
    isDirect && author !== null
      ? words
      : text.sidebar.last(author === null ? text.sidebar.you : isolate(firstName(author)), words);
  return (
    <span className={styles.last} data-testid="room-last">
      {isCalled ? <CalledLine line={line} nameOf={firstName} /> : <Sentence text={line} />}
    </span>
  );
}

/** A line has space for one word of a name. */
function firstName(name: string): string {
  return name.split(' ', 1)[0] ?? name;
}
