import { type MouseEvent, memo } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { useDrafts } from '../stores/drafts.ts';
import { goToRoom, roomPath } from '../stores/route.ts';
import { useUnread } from '../stores/unread.ts';
import { PencilIcon } from '../ui/icons.tsx';
import { Tile } from '../ui/Tile.tsx';
import { UnreadBadge } from '../ui/UnreadBadge.tsx';
import styles from './RoomRow.module.css';

interface RoomRowProps {
  readonly room: RoomInfo;
  readonly current: boolean;
  /** From 1, for assistive technology: only the rows in sight are in the document. */
  readonly position: number;
  readonly size: number;
}

/** One room of the list: its name, online and unread counts, and whether it has a draft. */
export const RoomRow = memo(function RoomRow({ room, current, position, size }: RoomRowProps) {
  const text = useText();
  const unread = useUnread(room);
  // The open room shows its draft itself.
  const hasDraft = useDrafts((store) => store.roomIds.has(room.id)) && !current;

  function open(event: MouseEvent): void {
    // The browser opens new tabs and windows.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goToRoom(room.id);
  }

  return (
    <li className={styles.item} aria-posinset={position} aria-setsize={size}>
      <a
        className={styles.room}
        href={roomPath(room.id)}
        onClick={open}
        aria-current={current ? 'page' : undefined}
        data-unread={unread > 0}
        data-testid="room"
      >
        <Tile size="row" roomId={room.id} name={room.name} />
        <span className={styles.name} title={room.name}>
          {room.name}
        </span>
        {hasDraft && (
          <span className={styles.draft} title={text.sidebar.draft}>
            <PencilIcon size={16} />
            <span className="visually-hidden" data-testid="room-draft">
              {text.sidebar.draft}
            </span>
          </span>
        )}
        {room.online > 0 && (
          <span className={styles.online} title={text.sidebar.online(room.online)}>
            <span className={styles.dot} />
            <span aria-hidden="true" data-testid="room-online">
              {text.number(room.online)}
            </span>
            <span className="visually-hidden">{text.sidebar.online(room.online)}</span>
          </span>
        )}
        <UnreadBadge count={unread} />
      </a>
    </li>
  );
});
