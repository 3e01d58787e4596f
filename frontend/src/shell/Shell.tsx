import { useEffect, useState } from 'react';
import type { User } from '../../../client/index.ts';
import { syncOwn, syncRooms } from '../app/sync-rooms.ts';
import { useWindowHue } from '../app/window-hue.ts';
import { Sidebar } from '../pages/sidebar/Sidebar.tsx';
import { RoomPane } from '../room/RoomPane.tsx';
import { useDialogs } from '../stores/dialogs.ts';
import { useDrafts } from '../stores/drafts.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';
import { isFirstPage, type Route, useRoute } from '../stores/route.ts';
import { NARROW, useMedia } from '../stores/use-media.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { Guarded } from './Guarded.tsx';
import styles from './Shell.module.css';
import { useLanding } from './use-landing.ts';
import { useOpenRoom } from './use-open-room.ts';

const LateShell = lazyPart(async () => (await import('./LateShell.tsx')).LateShell);
const Home = lazyPart(async () => (await import('./Home.tsx')).Home);

const TabBar = lazyPart(async () => (await import('../pages/sidebar/Places.tsx')).TabBar);

const roomPanels = () => import('../room/panels.ts');
const PeoplePanel = lazyPart(async () => (await roomPanels()).PeoplePanel);
const RoomPanel = lazyPart(async () => (await roomPanels()).RoomPanel);
const ThreadPanel = lazyPart(async () => (await roomPanels()).ThreadPanel);

const LatePage = lazyPart(async () => (await import('./LatePage.tsx')).LatePage);

/** Rooms, room and people side by side. On a narrow screen the address says which of them is shown. */
export function Shell({ user }: { readonly user: User }) {
  const route = useRoute((store) => store.route);
  const roomId = route.page === 'room' ? route.roomId : null;
  const opened = route.page === 'room' && route.target?.kind === 'thread' ? route.target : null;
  // Nothing stands beside a room that is gone.
  const isGone = useRoom(isRoomGone);
  const thread = isGone ? null : (opened?.id ?? null);
  const panel = route.page !== 'room' || isGone ? null : thread === null ? route.panel : 'thread';
  // From the load of the page until the panel is closed.
  const [isThereAtLoad, setThereAtLoad] = useState(panel !== null);
  if (isThereAtLoad && panel === null) setThereAtLoad(false);
  const isNarrow = useMedia(NARROW);

  useEffect(() => {
    const endSync = syncRooms(user.id);
    return () => {
      endSync();
      useRooms.getState().clear();
      useDialogs.getState().show({ kind: 'none' });
    };
  }, [user.id]);

  useEffect(() => syncOwn(user.id), [user.id]);
  useEffect(() => useDrafts.getState().sync(user.id), [user.id]);
  useOpenRoom(roomId);
  useWindowHue(roomId);

  useLanding(route, user.id);

  return (
    <main
      className={styles.shell}
      data-pane={panel === null ? route.page : 'panel'}
      data-panel={panel !== null}
    >
      <Sidebar user={user} roomId={roomId} isHome={route.page === 'home'} />
      <div className={styles.sheet} data-sheet="">
        <div className={styles.page}>
          <Guarded of={route}>
            <PageOf route={route} user={user} />
          </Guarded>
        </div>
        {roomId !== null && thread !== null && (
          <ThreadPanel
            key={thread}
            roomId={roomId}
            threadId={thread}
            replyId={opened?.replyId ?? null}
            user={user}
            takesFocus={!isThereAtLoad}
          />
        )}
        {roomId !== null && panel === 'people' && (
          <PeoplePanel roomId={roomId} user={user} takesFocus={!isThereAtLoad} />
        )}
        {roomId !== null && panel !== null && panel !== 'people' && panel !== 'thread' && (
          <RoomPanel key={roomId} roomId={roomId} panel={panel} user={user} takesFocus={!isThereAtLoad} />
        )}
      </div>
      {isNarrow && isFirstPage(route) && (
        <div className={styles.tabs}>
          <TabBar />
        </div>
      )}
      <LateShell roomId={roomId} />
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
    default:
      return <LatePage route={route} user={user} />;
  }
}
