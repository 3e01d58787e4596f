import { useEffect } from 'react';
import { STORAGE_KEYS, type User } from '../../../client/index.ts';
import { parseId } from '../../../protocol/text.ts';
import { useText } from '../i18n/catalogue.ts';
import { RoomPane } from '../room/RoomPane.tsx';
import { Sidebar } from '../sidebar/Sidebar.tsx';
import { localStore } from '../stores/device.ts';
import { useReadMarks } from '../stores/read-marks.ts';
import { openRoom } from '../stores/room.ts';
import { followRooms, useRooms } from '../stores/rooms.ts';
import { navigate, roomPath, useRoute } from '../stores/route.ts';
import { Empty } from '../ui/Empty.tsx';
import { BubbleIcon } from '../ui/icons.tsx';
import { Logo } from '../ui/Logo.tsx';
import styles from './Shell.module.css';

const narrow = window.matchMedia('(width < 768px)');

/** Sidebar and room side by side; on a narrow screen the address says which of them is seen. */
export function Shell({ user }: { readonly user: User }) {
  const text = useText();
  const route = useRoute((store) => store.route);
  const roomId = route.page === 'room' ? route.roomId : null;
  const listed = useRooms((store) => store.status === 'ready');
  const noRooms = useRooms((store) => store.status === 'ready' && store.rooms.length === 0);

  useEffect(() => {
    const unfollow = followRooms();
    return () => {
      unfollow();
      useRooms.getState().clear();
    };
  }, []);

  useEffect(() => useReadMarks.getState().follow(user.id), [user.id]);

  useEffect(() => {
    if (roomId === null) return;
    void useRooms.getState().ensure(roomId);
    return openRoom(roomId);
  }, [roomId]);

  useEffect(() => {
    // A wide screen has space for a room: the one that was open last.
    if (roomId !== null || !listed || narrow.matches) return;
    const last = parseId(localStore.getItem(STORAGE_KEYS.lastRoom) ?? '');
    if (last !== null && useRooms.getState().rooms.some((room) => room.id === last)) {
      navigate(roomPath(last), 'replace');
    }
  }, [roomId, listed]);

  return (
    <main className={styles.shell} data-page={route.page}>
      <Sidebar user={user} roomId={roomId} />
      <div className={styles.page}>
        {roomId === null ? (
          <Empty
            icon={noRooms ? <Logo size={56} /> : <BubbleIcon size={28} />}
            title={noRooms ? text.room.welcome(user.username) : text.room.pick}
            hint={noRooms ? text.room.welcomeHint : text.room.pickHint}
          />
        ) : (
          <RoomPane key={roomId} roomId={roomId} user={user} />
        )}
      </div>
    </main>
  );
}
