import { useEffect, useState } from 'react';
import type { User } from '../../../client/index.ts';
import { followLate } from '../app/follow-late.ts';
import { followOwn, followRooms } from '../app/follow-rooms.ts';
import { openRoom } from '../app/open-room.ts';
import { RoomPane } from '../room/RoomPane.tsx';
import { Sidebar } from '../sidebar/Sidebar.tsx';
import { lastRoomOf } from '../stores/device.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { useDrafts } from '../stores/drafts.ts';
import { useRooms } from '../stores/rooms.ts';
import { navigate, type Route, roomPath, useRoute } from '../stores/route.ts';
import { NARROW } from '../ui/use-media.ts';
import { Dialogs } from './Dialogs.tsx';
import { lazyPart } from './lazy-part.tsx';
import styles from './Shell.module.css';
import { TabTitle } from './TabTitle.tsx';
import { Toasts } from './Toasts.tsx';

const PeoplePanel = lazyPart(async () => (await import('../room/people/PeoplePanel.tsx')).PeoplePanel);
const KeyboardMap = lazyPart(async () => (await import('./KeyboardMap.tsx')).KeyboardMap);
const Home = lazyPart(async () => (await import('./Home.tsx')).Home);

const RoomPanel = lazyPart(async () => (await import('../room/panel/RoomPanel.tsx')).RoomPanel);
const BrowsePage = lazyPart(async () => (await import('../screens/BrowsePage.tsx')).BrowsePage);
const SettingsPage = lazyPart(async () => (await import('../screens/SettingsPage.tsx')).SettingsPage);
const InvitePage = lazyPart(async () => (await import('../screens/InvitePage.tsx')).InvitePage);
const SetupPage = lazyPart(async () => (await import('../screens/SetupPage.tsx')).SetupPage);

const narrow = window.matchMedia(NARROW);

/** Rooms, room and people side by side. On a narrow screen the address says which of them is shown. */
export function Shell({ user }: { readonly user: User }) {
  const route = useRoute((store) => store.route);
  const roomId = route.page === 'room' ? route.roomId : null;
  const panel = route.page === 'room' ? route.panel : null;
  // From the load of the page until the panel is closed.
  const [isThereAtLoad, setThereAtLoad] = useState(panel !== null);
  if (isThereAtLoad && panel === null) setThereAtLoad(false);
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
  useEffect(followLate, []);
  useEffect(() => useDrafts.getState().follow(user.id), [user.id]);

  useEffect(() => {
    if (roomId === null) return;
    void useRooms.getState().ensure(roomId);
    return openRoom(roomId);
  }, [roomId]);

  useEffect(() => {
    // A wide screen has space for a room beside the list: the one that was open last.
    if (route.page !== 'home' || !listed || narrow.matches) return;
    const last = lastRoomOf(user.id);
    if (last !== null && useRooms.getState().rooms.some((room) => room.id === last)) {
      navigate(roomPath(last), 'replace');
    }
  }, [route.page, listed, user.id]);

  return (
    <main
      className={styles.shell}
      data-pane={panel === null ? route.page : 'panel'}
      data-panel={panel !== null}
    >
      <KeyboardMap />
      <TabTitle roomId={roomId} />
      <Sidebar user={user} roomId={roomId} isHome={route.page === 'home'} />
      <div className={styles.page}>
        <PageOf route={route} user={user} />
      </div>
      {roomId !== null && panel === 'people' && (
        <PeoplePanel roomId={roomId} user={user} takesFocus={!isThereAtLoad} />
      )}
      {roomId !== null && panel !== null && panel !== 'people' && (
        <RoomPanel key={roomId} roomId={roomId} panel={panel} user={user} takesFocus={!isThereAtLoad} />
      )}
      <Toasts />
      <Dialogs />
    </main>
  );
}

/** What stands beside the list of rooms. */
function PageOf({ route, user }: { readonly route: Route; readonly user: User }) {
  switch (route.page) {
    case 'home':
      return <Home user={user} />;
    case 'room':
      return <RoomPane key={route.roomId} roomId={route.roomId} user={user} />;
    case 'browse':
      return <BrowsePage />;
    case 'settings':
      return <SettingsPage user={user} />;
    case 'invite':
      return <InvitePage code={route.code} />;
    case 'setup':
      return <SetupPage code={route.code} />;
  }
}
