import type { MouseEvent } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { nameKey } from '../../../protocol/text.ts';
import { useText } from '../i18n/catalogue.ts';
import { useRooms } from '../stores/rooms.ts';
import { navigate, roomPath } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { BubbleIcon } from '../ui/icons.tsx';
import styles from './RoomList.module.css';

interface RoomListProps {
  readonly query: string;
  readonly roomId: number | null;
  /** Asks for a new room, with a suggestion for its name. */
  readonly onCreate: (suggestion: string) => void;
}

/** The rooms whose name contains the query, newest first. */
export function RoomList({ query, roomId, onCreate }: RoomListProps) {
  const text = useText();
  const { status, rooms, refresh } = useRooms();
  const wanted = query.trim();
  const key = nameKey(wanted);
  const found = wanted === '' ? rooms : rooms.filter((room) => nameKey(room.name).includes(key));

  if (status === 'loading' && rooms.length === 0) return <Skeleton label={text.sidebar.loading} />;
  if (status === 'failed' && rooms.length === 0) {
    return (
      <div className={styles.list}>
        <Empty title={text.sidebar.failed}>
          <Button onClick={() => void refresh()}>{text.sidebar.retry}</Button>
        </Empty>
      </div>
    );
  }
  if (rooms.length === 0) {
    return (
      <div className={styles.list}>
        <Empty icon={<BubbleIcon size={28} />} title={text.sidebar.none} hint={text.sidebar.noneHint}>
          <Button look="primary" onClick={() => onCreate('')}>
            {text.sidebar.createFirst}
          </Button>
        </Empty>
      </div>
    );
  }
  if (found.length === 0) {
    return (
      <div className={styles.list}>
        <p className={styles.noMatch}>{text.sidebar.noMatch(wanted)}</p>
        <Button look="quiet" className={styles.createIt} onClick={() => onCreate(wanted)}>
          {text.sidebar.createIt(wanted)}
        </Button>
      </div>
    );
  }
  return (
    <ul className={styles.list}>
      {found.map((room) => (
        <RoomRow key={room.id} room={room} current={room.id === roomId} />
      ))}
    </ul>
  );
}

function RoomRow({ room, current }: { readonly room: RoomInfo; readonly current: boolean }) {
  const text = useText();
  const path = roomPath(room.id);

  function open(event: MouseEvent): void {
    // A new tab or window is the browser's to open.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(path);
  }

  return (
    <li>
      <a
        className={styles.room}
        href={path}
        onClick={open}
        aria-current={current ? 'page' : undefined}
        data-testid="room"
      >
        <BubbleIcon size={18} />
        <span className={styles.name}>{room.name}</span>
        {room.online > 0 && (
          <span className={styles.online} title={text.sidebar.online(room.online)}>
            <span className={styles.dot} />
            <span aria-hidden="true" data-testid="room-online">
              {text.number(room.online)}
            </span>
            <span className="visually-hidden">{text.sidebar.online(room.online)}</span>
          </span>
        )}
      </a>
    </li>
  );
}

function Skeleton({ label }: { readonly label: string }) {
  return (
    <div className={styles.list} role="status" aria-label={label}>
      {[70, 45, 60, 38, 52].map((width) => (
        <div key={width} className={styles.ghost}>
          <span style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
