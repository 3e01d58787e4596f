import { memo } from 'react';
import type { ConnectionState, RoomInfo, RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import type { Catalogue } from '../../i18n/en.ts';
import { chat } from '../../stores/chat.ts';
import { useIsOnline } from '../../stores/people.ts';
import { leavePage, showPanel } from '../../stores/route.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import { BackIcon } from '../../ui/icons.tsx';
import { PeopleButton } from '../people/PeopleButton.tsx';
import { CopyLinkButton } from './CopyLinkButton.tsx';
import styles from './RoomHeader.module.css';

interface RoomHeaderProps extends Pick<RoomState, 'roomId' | 'connection' | 'online' | 'users'> {
  readonly name: string;
  readonly topic: string;
  readonly emoji: string | null;
  readonly hue: string | null;
  /** The other person of a direct conversation between two. */
  readonly person: NonNullable<RoomInfo['people']>[number] | null;
  /** A connection was open before. */
  readonly wasOpen: boolean;
}

/**
 * The room's door and name, how many people are in it or whether the other person is online, and a dot while the
 * connection is down. The banner has the words for that.
 */
export const RoomHeader = memo(function RoomHeader(props: RoomHeaderProps) {
  const text = useText();
  const { name, emoji, hue, person, roomId, connection, wasOpen, online, users } = props;
  // The username stands beside a name that differs.
  const topic = person !== null && person.username !== name ? person.username : props.topic;
  const isOnline = useIsOnline(person?.user_id ?? 0);
  const isNotes = person !== null && person.user_id === chat().user?.id;
  const label = connectionLabel(text, connection, wasOpen);
  return (
    <header className={styles.header} data-region="header">
      <IconButton label={text.room.back} className={styles.back} onClick={leavePage}>
        <BackIcon />
      </IconButton>
      <div className={styles.title}>
        {person === null ? (
          <Door roomId={roomId} name={name} emoji={emoji} hue={hue} />
        ) : (
          <Avatar userId={person.user_id} username={person.username} online={isOnline === true} />
        )}
        <div className={styles.words}>
          <h1 className={styles.name} title={name}>
            <button type="button" onClick={() => showPanel(roomId, 'about')}>
              {name}
            </button>
          </h1>
          {topic !== '' && (
            <p className={styles.topic} title={topic}>
              {topic}
            </p>
          )}
        </div>
        <p
          className={styles.connection}
          data-status={connection.status}
          data-testid="connection-state"
          title={label}
        >
          <span className={styles.dot} />
          <span className="visually-hidden">{label}</span>
        </p>
      </div>
      {person === null
        ? online !== null && <PeopleButton roomId={roomId} online={online} users={users} />
        : isOnline !== null &&
          !isNotes && (
            <p className={styles.presence} data-testid="presence">
              {isOnline ? text.connection.online : text.connection.offline}
            </p>
          )}
      <CopyLinkButton roomId={roomId} />
    </header>
  );
});

/** The connection in one or two words. */
export function connectionLabel(text: Catalogue, connection: ConnectionState, wasOpen: boolean): string {
  // Without a network no attempt can succeed, unless the server is on this device.
  if (connection.status !== 'open' && !navigator.onLine) return text.connection.offline;
  switch (connection.status) {
    case 'open':
      return text.connection.connected;
    case 'connecting':
      return wasOpen ? text.connection.reconnecting : text.connection.connecting;
    case 'waiting':
      return text.connection.reconnecting;
    case 'closed':
      return text.connection.offline;
  }
}
