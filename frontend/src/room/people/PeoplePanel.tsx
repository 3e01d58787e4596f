import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { RoomState, User } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { hidePanel } from '../../stores/route.ts';
import { ONE_PANE } from '../../stores/use-media.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import frame from '../../ui/Panel.module.css';
import { PanelHead } from '../../ui/PanelHead.tsx';
import scroller from '../../ui/Scroller.module.css';
import { AbsentPeople } from './AbsentPeople.tsx';
import { peopleButton } from './PeopleButton.tsx';
import { PeopleList, PersonName } from './PeopleList.tsx';
import styles from './PeoplePanel.module.css';

type Person = RoomState['users'][number];

interface PeoplePanelProps {
  readonly roomId: number;
  readonly user: User;
  /** The user opened it just now. */
  readonly takesFocus: boolean;
}

const NOBODY: readonly Person[] = [];

/** The people in the room: beside it, or on a narrow screen in its place. */
export function PeoplePanel({ roomId, user, takesFocus }: PeoplePanelProps) {
  const text = useText();
  const { people: texts } = useScreenTexts();
  const panel = useRef<HTMLElement>(null);
  const online = useRoom(({ state }) => (state?.roomId === roomId ? state.online : null));
  const users = useRoom(({ state }) => (state?.roomId === roomId ? state.users : NOBODY));
  const blocked = useOwnRooms((store) => store.blocked);
  const people = useMemo(
    () =>
      inOrder(
        users.filter(({ user_id: id }) => !blocked.has(id)),
        user.id,
        text.locale,
      ),
    [users, blocked, user.id, text.locale],
  );
  const others = (online ?? 0) - users.length;

  useEffect(() => {
    // On a page that loads with the panel open, the composer takes it.
    if (takesFocus || window.matchMedia(ONE_PANE).matches) panel.current?.querySelector('button')?.focus();
    return () => {
      if (document.activeElement === document.body) peopleButton()?.focus();
    };
  }, [takesFocus]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    hidePanel(roomId);
  }

  return (
    <section
      ref={panel}
      className={frame.panel}
      aria-label={text.people.title}
      data-enters={takesFocus}
      data-region="people"
      onKeyDown={onKeyDown}
    >
      <PanelHead
        title={text.people.title}
        note={online === null ? undefined : text.room.online(online)}
        onClose={() => hidePanel(roomId)}
      />
      {online === null ? (
        <p className={styles.note}>{texts.unknown}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
        <div
          role="group"
          className={`${scroller.scroller} ${styles.lists}`}
          aria-label={text.people.title}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: without a pointer it is scrolled with the keyboard.
          tabIndex={0}
        >
          <PeopleList title={texts.here} count={online}>
            {people.map(({ user_id: id, username }) => (
              <li key={id} className={styles.person} data-testid="person">
                <Avatar userId={id} username={username} online />
                <PersonName id={id} username={username} />
                {id === user.id && <span className={styles.you}>{texts.you}</span>}
              </li>
            ))}
            {others > 0 && <li className={styles.note}>{texts.more(others)}</li>}
          </PeopleList>
          {others <= 0 && <AbsentPeople roomId={roomId} users={users} />}
        </div>
      )}
    </section>
  );
}

/** The user first, the others by name. */
function inOrder(users: readonly Person[], me: number, locale: string): Person[] {
  const collator = new Intl.Collator(locale, { sensitivity: 'base', numeric: true });
  return [...users].sort((a, b) => {
    const meFirst = Number(b.user_id === me) - Number(a.user_id === me);
    return meFirst || collator.compare(a.username, b.username) || a.user_id - b.user_id;
  });
}
