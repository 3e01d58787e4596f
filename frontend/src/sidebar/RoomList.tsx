import { type ReactNode, useMemo, useRef } from 'react';
import type { RoomInfo } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { useServerSearch } from '../stores/server-search.ts';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/Empty.tsx';
import { BubbleIcon } from '../ui/icons.tsx';
import { NARROW, useMedia } from '../ui/use-media.ts';
import { findRooms } from './find-rooms.ts';
import styles from './RoomList.module.css';
import { RoomListSkeleton } from './RoomListSkeleton.tsx';
import { RoomRow } from './RoomRow.tsx';
import { useVisibleRows } from './use-visible-rows.ts';

interface RoomListProps {
  readonly query: string;
  readonly roomId: number | null;
  /** Opens the dialog for a new room, with a suggested name. */
  readonly onCreate: (suggestion: string) => void;
}

/** The rooms whose name contains the query, newest first. */
export function RoomList({ query, roomId, onCreate }: RoomListProps) {
  const text = useText();
  const status = useRooms((store) => store.status);
  const rooms = useRooms((store) => store.rooms);
  const wanted = query.trim();
  const found = useMemo(() => findRooms(rooms, wanted), [rooms, wanted]);
  const searching = useServerSearch(wanted);
  const isNarrow = useMedia(NARROW);

  if (status === 'loading' && rooms.length === 0) return <RoomListSkeleton label={text.sidebar.loading} />;
  if (status === 'failed' && rooms.length === 0) {
    return (
      <Frame>
        <Empty title={text.sidebar.failed}>
          <Button onClick={() => void useRooms.getState().refresh()}>{text.sidebar.retry}</Button>
        </Empty>
      </Frame>
    );
  }
  if (rooms.length === 0) {
    return (
      <Frame>
        <Empty icon={<BubbleIcon size={28} />} title={text.sidebar.none} hint={text.sidebar.noneHint}>
          {/* On a wide screen the page beside the list has the button. */}
          {isNarrow && (
            <Button look="primary" onClick={() => onCreate('')}>
              {text.sidebar.createFirst}
            </Button>
          )}
        </Empty>
      </Frame>
    );
  }
  if (found.length === 0) {
    return (
      <Frame>
        {searching ? (
          <p className={styles.noMatch}>{text.sidebar.searching}</p>
        ) : (
          <>
            <p className={styles.noMatch}>{text.sidebar.noMatch(wanted)}</p>
            <Button look="quiet" className={styles.createIt} onClick={() => onCreate(wanted)}>
              {text.sidebar.createIt(wanted)}
            </Button>
          </>
        )}
      </Frame>
    );
  }
  return <Rows rooms={found} wanted={wanted} roomId={roomId} />;
}

function Frame({ children }: { readonly children: ReactNode }) {
  return <div className={styles.list}>{children}</div>;
}

interface RowsProps {
  readonly rooms: readonly RoomInfo[];
  readonly wanted: string;
  readonly roomId: number | null;
}

function Rows({ rooms, wanted, roomId }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const stale = useRooms((store) => store.stale);
  const line = useRoom(({ state }) => state?.connection.status);
  const isDown = line === 'waiting' || line === 'connecting';
  const current = { id: roomId, index: rooms.findIndex((room) => room.id === roomId) };
  const { first, end, rowPx } = useVisibleRows(box, rooms.length, current, wanted);
  return (
    <div ref={box} className={styles.list} data-stale={stale || isDown}>
      <ul style={{ paddingBlock: `${first * rowPx}px ${(rooms.length - end) * rowPx}px` }}>
        {rooms.slice(first, end).map((room, index) => (
          <RoomRow
            key={room.id}
            room={room}
            current={room.id === roomId}
            position={first + index + 1}
            size={rooms.length}
          />
        ))}
      </ul>
    </div>
  );
}
