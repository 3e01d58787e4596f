import { memo } from 'react';
import type { RoomInfo, RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useIsOnline } from '../../stores/people.ts';
import { leavePage, showPanel } from '../../stores/route.ts';
import { NARROW, useMedia } from '../../stores/use-media.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/Button.tsx';
import { Door } from '../../ui/Door.tsx';
import { BackIcon, ChevronIcon } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PairAvatar } from '../../ui/PairAvatar.tsx';
import { roomParts } from '../load-parts.ts';
import styles from './RoomHeader.module.css';

interface RoomHeaderProps extends Pick<RoomState, 'roomId' | 'connection' | 'online' | 'users'> {
  readonly name: string;
  readonly topic: string;
  readonly emoji: string | null;
  readonly hue: string | null;
  /** How many people the room has; null while that is not known. */
  readonly members: number | null;
  /** The other person of a direct conversation between two. */
  readonly person: NonNullable<RoomInfo['people']>[number] | null;
  /** The others of a direct conversation. */
  readonly people: NonNullable<RoomInfo['people']>;
  /** A connection was open before. */
  readonly wasOpen: boolean;
}

const HeaderLine = lazyPart(async () => (await roomParts()).HeaderLine);
const HeaderTools = lazyPart(async () => (await roomParts()).HeaderTools);

/** The room's door and name, which opens its settings, a line about it, and what one does in it. */
export const RoomHeader = memo(function RoomHeader(props: RoomHeaderProps) {
  const text = useText();
  const { name, topic, emoji, hue, person, people, roomId } = props;
  const isPhone = useMedia(NARROW);
  const isOnline = useIsOnline(person?.user_id ?? 0);
  return (
    <header className={styles.header} data-region="header">
      <IconButton label={text.room.back} className={styles.back} onClick={leavePage}>
        <BackIcon />
      </IconButton>
      <div className={styles.title}>
        {person === null ? (
          people.length > 1 ? (
            <PairAvatar
              size="normal"
              people={people.map(({ user_id, username }) => ({ id: user_id, username }))}
            />
          ) : (
            <Door roomId={roomId} name={name} emoji={emoji} hue={hue} />
          )
        ) : (
          <Avatar userId={person.user_id} username={person.username} online={isOnline === true} />
        )}
        <div className={styles.words}>
          <h1 className={styles.name} title={name}>
            {isPhone ? (
              name
            ) : (
              <button type="button" onClick={() => showPanel(roomId, 'about')}>
                <span>{name}</span>
                <ChevronIcon size={15} />
              </button>
            )}
          </h1>
          {isPhone || person !== null ? (
            <div className={styles.line}>
              <HeaderLine {...props} />
            </div>
          ) : (
            topic !== '' && (
              <p className={styles.line} title={topic}>
                {topic}
              </p>
            )
          )}
        </div>
      </div>
      <HeaderTools {...props} isPhone={isPhone} />
    </header>
  );
});
