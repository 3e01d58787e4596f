import type { RoomInfo, RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { chat } from '../../stores/chat.ts';
import { useIsOnline } from '../../stores/people.ts';
import { PeopleLine } from '../people/PeopleButton.tsx';
import styles from './RoomHeader.module.css';

interface HeaderLineProps extends Pick<RoomState, 'roomId' | 'online'> {
  readonly name: string;
  readonly members: number | null;
  readonly person: NonNullable<RoomInfo['people']>[number] | null;
}

/** Beneath the name: whether the other person is online, or on a phone how many people the room has. */
export function HeaderLine({ person, ...room }: HeaderLineProps) {
  return person === null ? <PeopleLine {...room} /> : <PersonLine person={person} name={room.name} />;
}

interface PersonLineProps extends Pick<HeaderLineProps, 'name'> {
  readonly person: NonNullable<HeaderLineProps['person']>;
}

function PersonLine({ person, name }: PersonLineProps) {
  const { connection } = useText();
  const isOnline = useIsOnline(person.user_id);
  const isNotes = person.user_id === chat().user?.id;
  return (
    <p className={styles.person}>
      {isOnline !== null && !isNotes && (
        <span data-testid="presence">{isOnline ? connection.online : connection.offline}</span>
      )}
      {/* The username stands beside a name that differs. */}
      {person.username !== name && <bdi>{person.username}</bdi>}
    </p>
  );
}
