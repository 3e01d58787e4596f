import { useShallow } from 'zustand/react/shallow';
import type { RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { hidePanel, showPanel, useRoute } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import styles from './PeopleButton.module.css';

interface PeopleButtonProps {
  readonly roomId: number;
  readonly online: number;
  readonly users: RoomState['users'];
  /** How many people the room has; null while that is not known. */
  readonly members: number | null;
}

const FACES = 3;
const ID = 'people-button';

/** A few of the people who are online, and how many the room has. Opens and closes the panel that lists them. */
export function PeopleButton({ roomId, online, users, members }: PeopleButtonProps) {
  const text = useText();
  const { people: texts } = useScreenTexts();
  const { isOpen, toggle } = usePeoplePanel(roomId);
  // In a public room there may be more people than members.
  const count = Math.max(members ?? 0, online);
  // Those who wrote may have left since.
  const faces = useFaces(users).slice(0, count);
  return (
    <button
      id={ID}
      type="button"
      className={styles.pill}
      aria-expanded={isOpen}
      title={texts.present(count, online)}
      onClick={toggle}
    >
      <span className={styles.faces}>
        {faces.map(({ user_id: id, username }) => (
          <Avatar key={id} userId={id} username={username} size="tiny" />
        ))}
      </span>
      <span>{text.number(count)}</span>
      <span className="visually-hidden">
        <span data-testid="online-count">{text.room.online(online)}</span> {text.people.title}
      </span>
    </button>
  );
}

interface PeopleLineProps {
  readonly roomId: number;
  /** Null while it is not known. */
  readonly online: number | null;
  readonly members: number | null;
}

/** The same in words, as a phone has it beneath the room's name. All of the name can be tapped. */
export function PeopleLine({ roomId, online, members }: PeopleLineProps) {
  const text = useText();
  const { people: texts } = useScreenTexts();
  const { isOpen, toggle } = usePeoplePanel(roomId);
  const count = members === null && online === null ? null : Math.max(members ?? 0, online ?? 0);
  return (
    <button id={ID} type="button" className={styles.line} aria-expanded={isOpen} onClick={toggle}>
      {count !== null && <span>{texts.present(count, online)}</span>}
      <span className="visually-hidden">{text.people.title}</span>
    </button>
  );
}

function usePeoplePanel(roomId: number): { readonly isOpen: boolean; readonly toggle: () => void } {
  const isOpen = useRoute(({ route }) => route.page === 'room' && route.panel === 'people');
  return { isOpen, toggle: () => (isOpen ? hidePanel(roomId) : showPanel(roomId, 'people')) };
}

/** Those who are online, then those who wrote last. */
function useFaces(users: RoomState['users']): RoomState['users'] {
  const blocked = useOwnRooms((store) => store.blocked);
  const wrote = useRoom(useShallow(({ state }) => lastOfAuthors(state?.messages ?? [])));
  const isOnline = new Set(users.map(({ user_id: id }) => id));
  return [...users, ...wrote.filter(({ user_id: id }) => !isOnline.has(id))]
    .filter(({ user_id: id }) => !blocked.has(id))
    .slice(0, FACES);
}

/** The last message of each of those who wrote last. */
function lastOfAuthors(messages: RoomState['messages']): RoomState['messages'] {
  const found = new Map<number, RoomState['messages'][number]>();
  for (let index = messages.length - 1; index >= 0 && found.size < 2 * FACES; index -= 1) {
    const message = messages[index];
    if (message !== undefined && !found.has(message.user_id)) found.set(message.user_id, message);
  }
  return [...found.values()];
}

/** Where the focus goes when the panel is closed. */
export function peopleButton(): HTMLElement | null {
  return document.getElementById(ID);
}
