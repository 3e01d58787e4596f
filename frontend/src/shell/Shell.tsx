import { useEffect, useState } from 'react';
import type { User } from '../../../client/index.ts';
import { followOwn, followRooms } from '../app/follow-rooms.ts';
import { openRoom } from '../app/open-room.ts';
import { RoomPane } from '../room/RoomPane.tsx';
import { Sidebar } from '../sidebar/Sidebar.tsx';
import { lastRoomOf } from '../stores/device.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useDrafts } from '../stores/drafts.ts';
import { useRooms } from '../stores/rooms.ts';
import { navigate, roomPath, useRoute } from '../stores/route.ts';
import { NARROW } from '../ui/use-media.ts';
import { Dialogs } from './Dialogs.tsx';
import { lazyPart } from './lazy-part.tsx';
import styles from './Shell.module.css';
import { TabTitle } from './TabTitle.tsx';
import { Toasts } from './Toasts.tsx';

const PeoplePanel = lazyPart(async () => (await import('../room/people/PeoplePanel.tsx')).PeoplePanel);
const KeyboardMap = lazyPart(async () => (await import('./KeyboardMap.tsx')).KeyboardMap);
const Home = lazyPart(async () => (await import('./Home.tsx')).Home);

const narrow = window.matchMedia(NARROW);

/** Rooms, room and people side by side. On a narrow screen the address says which of them is shown. */
export function Shell({ user }: { readonly user: User }) {
  const route = useRoute((store) => store.route);
  const roomId = route.page === 'room' ? route.roomId : null;
  const people = route.page === 'room' && route.people;
  // From the load of the page until the panel is closed.
  const [isThereAtLoad, setThereAtLoad] = useState(people);
  if (isThereAtLoad && !people) setThereAtLoad(false);
  const listed = useRooms((store) => store.rooms.length > 0);

  useEffect(() => {
    const unfollow = followRooms(user.id);
    return () => {
      unfollow();
      useRooms.getState().clear();
      useDialogs.getState().show({ kind: 'none' });
    };
  }, [user.id]);

  useEffect(() => followOwn(user.id), [user.id]);
  useEffect(() => useDrafts.getState().follow(user.id), [user.id]);

  useEffect(() => {
    if (roomId === null) return;
    void useRooms.getState().ensure(roomId);
    return openRoom(roomId);
  }, [roomId]);

  useEffect(() => {
    // A wide screen has space for a room beside the list: the one that was open last.
    if (roomId !== null || !listed || narrow.matches) return;
    const last = lastRoomOf(user.id);
    if (last !== null && useRooms.getState().rooms.some((room) => room.id === last)) {
      navigate(roomPath(last), 'replace');
    }
  }, [roomId, listed, user.id]);

  return (
    <main className={styles.shell} data-pane={people ? 'people' : route.page} data-people={people}>
      <KeyboardMap />
      <TabTitle roomId={roomId} />
      <Sidebar user={user} roomId={roomId} />
      <div className={styles.page}>
        {roomId === null ? <Home user={user} /> : <RoomPane key={roomId} roomId={roomId} user={user} />}
      </div>
      {people && roomId !== null && <PeoplePanel roomId={roomId} user={user} takesFocus={!isThereAtLoad} />}
      <Toasts />
      <Dialogs />
    </main>
  );
}
