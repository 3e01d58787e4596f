import type { RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { hidePanel, showPanel, useRoute } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import styles from './PeopleButton.module.css';

interface PeopleButtonProps {
  readonly roomId: number;
  readonly online: number;
  readonly users: RoomState['users'];
}

const FACES = 3;
const ID = 'people-button';

/** A few avatars and how many people are online. Opens and closes the panel that lists them. */
export function PeopleButton({ roomId, online, users }: PeopleButtonProps) {
  const text = useText();
  const blocked = useOwnRooms((store) => store.blocked);
  const isOpen = useRoute(({ route }) => route.page === 'room' && route.panel === 'people');
  return (
    <button
      id={ID}
      type="button"
      className={styles.button}
      aria-expanded={isOpen}
      title={text.people.title}
      onClick={() => (isOpen ? hidePanel(roomId) : showPanel(roomId, 'people'))}
    >
      <span className={styles.faces}>
        {users
          .filter(({ user_id: id }) => !blocked.has(id))
          .slice(0, FACES)
          .map(({ user_id: id, username }) => (
            <Avatar key={id} userId={id} username={username} size="tiny" />
          ))}
      </span>
      <span data-testid="online-count">{text.room.online(online)}</span>
      <span className="visually-hidden">{text.people.title}</span>
    </button>
  );
}

/** Where the focus goes when the panel is closed. */
export function peopleButton(): HTMLElement | null {
  return document.getElementById(ID);
}
