import { useCallback } from 'react';
import type { RoomState } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { roomRequests } from '../../stores/requests.ts';
import { showPanel } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useLoaded } from '../../ui/use-loaded.ts';
import { PeopleList, PersonName } from './PeopleList.tsx';
import styles from './PeoplePanel.module.css';

interface AbsentPeopleProps {
  readonly roomId: number;
  /** Those who are here. */
  readonly users: RoomState['users'];
}

/** The members who are not here; of a large room, the first of them. */
export function AbsentPeople({ roomId, users }: AbsentPeopleProps) {
  const { people: texts, room } = useScreenTexts();
  const { loaded } = useLoaded(useCallback(() => roomRequests().members(roomId), [roomId]));
  const blocked = useOwnRooms((store) => store.blocked);
  if (loaded.status !== 'ready') return null;
  const here = new Set(users.map(({ user_id: id }) => id));
  const { members, has_more: hasMore } = loaded.value;
  const absent = members.filter(({ user_id: id }) => !here.has(id) && !blocked.has(id));
  if (absent.length === 0) return null;
  return (
    <PeopleList title={texts.absent} count={hasMore ? null : absent.length}>
      {absent.map(({ user_id: id, username }) => (
        <li key={id} className={styles.person} data-testid="absent-person">
          <Avatar userId={id} username={username} />
          <PersonName id={id} username={username} />
        </li>
      ))}
      {hasMore && (
        <li>
          <Button look="quiet" onClick={() => showPanel(roomId, 'members')}>
            {room.more}
          </Button>
        </li>
      )}
    </PeopleList>
  );
}
