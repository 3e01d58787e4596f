import type { User } from '../../../client/index.ts';
import { useText } from '../i18n/catalogue.ts';
import { useScreenTexts } from '../i18n/screens.ts';
import { useDialogs } from '../stores/dialogs.ts';
import { unreadOf, useOwnRooms } from '../stores/own-rooms.ts';
import { useRooms } from '../stores/rooms.ts';
import { goToRoom } from '../stores/route.ts';
import { Button } from '../ui/Button.tsx';
import { Door } from '../ui/Door.tsx';
import { Empty } from '../ui/Empty.tsx';
import styles from './Home.module.css';

/** How many rooms are offered while none is open. */
const OFFERED = 3;

/** Stands beside the list while no room is open, and offers the rooms that the user most likely wants. */
export function Home({ user }: { readonly user: User }) {
  const text = useText();
  const { home, list } = useScreenTexts();
  const own = useOwnRooms((store) => store.rooms);
  const rooms = useRooms((store) => store.rooms);
  const isListed = useRooms((store) => store.status === 'ready');
  if (isListed && rooms.length === 0) {
    return (
      <Empty drawing="open_door" title={home.welcome(user.username)} hint={home.welcomeHint}>
        <Button
          look="primary"
          className={styles.first}
          onClick={() => useDialogs.getState().show({ kind: 'create_room', suggestion: '' })}
        >
          {list.createFirst}
        </Button>
      </Empty>
    );
  }
  const liveliest = rooms
    .map((room) => ({ room, unread: unreadOf(own, room.id) }))
    .sort((a, b) => b.unread - a.unread || b.room.online - a.room.online)
    .slice(0, OFFERED);
  return (
    <Empty drawing="doors" title={home.pick} hint={home.pickHint}>
      <div className={styles.rooms}>
        {liveliest.map(({ room, unread }) => (
          <Button key={room.id} onClick={() => goToRoom(room.id)}>
            <Door size="row" roomId={room.id} name={room.name} emoji={room.emoji} hue={room.hue} />
            <span className={styles.name}>{room.name}</span>
            {unread > 0 && <span className={styles.unread}>{text.sidebar.unread(unread)}</span>}
          </Button>
        ))}
      </div>
    </Empty>
  );
}
