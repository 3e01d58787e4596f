import { useEffect, useRef } from 'react';
import type { User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { unreadOf, useOwnRooms } from '../stores/own-rooms.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom, navigate } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Door } from '../ui/Door.tsx';
import { DoorPage } from '../ui/DoorPage.tsx';
import { Empty } from '../ui/Empty.tsx';
import { Hero } from '../ui/Hero.tsx';
import { UnreadBadge } from '../ui/UnreadBadge.tsx';
import styles from './Home.module.css';

/** How many rooms are offered while none is open. */
const OFFERED = 3;

/** Stands beside the list while no room is open, and offers the rooms that the user most likely wants. */
export function Home({ user }: { readonly user: User }) {
  const { home } = useScreenTexts();
  const own = useOwnRooms((store) => store.rooms);
  const rooms = useRooms((store) => store.rooms);
  const isListed = useRooms((store) => store.status === 'ready');
  if (isListed && rooms.length === 0) {
    return <Start user={user} />;
  }
  const liveliest = rooms
    .filter(({ archived }) => !archived)
    .map((room) => ({ room, unread: unreadOf(own, room.id) }))
    .sort((a, b) => b.unread - a.unread || b.room.online - a.room.online)
    .slice(0, OFFERED);
  return (
    <Empty drawing="doors" title={home.pick} hint={home.pickHint}>
      <div className={styles.rooms}>
        {liveliest.map(({ room, unread }) => (
          <Button key={room.id} onClick={() => goToRoom(room.id)}>
            <Door
              size="row"
              roomId={room.id}
              name={room.name}
              emoji={room.emoji}
              hue={room.hue}
              isAjar={unread > 0}
            />
            <span className={styles.name}>{room.name}</span>
            <UnreadBadge count={unread} />
          </Button>
        ))}
      </div>
    </Empty>
  );
}

/** The user has no room yet. What there is to do has the focus, unless the user has already gone somewhere else. */
function Start({ user }: { readonly user: User }) {
  const text = useText();
  const { home, list } = useScreenTexts();
  const create = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    const { activeElement } = document;
    // The search has it while nobody knows whether there are rooms.
    const isFree = activeElement === document.body || activeElement?.matches('[data-search]');
    if (isFree) create.current?.focus({ preventScroll: true });
  }, []);

  return (
    <DoorPage
      hero={<Hero title={home.welcome(user.username)} hint={home.welcomeHint} level={2} />}
      acts={
        <>
          <Button
            ref={create}
            look="primary"
            onClick={() => useDialogs.getState().show({ kind: 'create_room', suggestion: '' })}
          >
            {list.createFirst}
          </Button>
          <Button onClick={() => navigate('/browse')}>{text.sidebar.browse}</Button>
        </>
      }
    />
  );
}
