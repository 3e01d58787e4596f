import type { RoomInfo, RoomState } from '../../../../client/index.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useRooms } from '../../stores/rooms.ts';
import { hidePanel, showPanel, useRoute } from '../../stores/route.ts';
import { inRoom, openSearch } from '../../stores/search.ts';
import { IconButton } from '../../ui/Button.tsx';
import { MoreIcon, SearchIcon } from '../../ui/icons.tsx';
import { PinIcon } from '../../ui/late-icons.tsx';
import { PeopleButton } from '../people/PeopleButton.tsx';
import { connectionLabel } from './connection-label.ts';
import styles from './RoomHeader.module.css';

interface HeaderToolsProps extends Pick<RoomState, 'roomId' | 'connection' | 'online' | 'users'> {
  readonly members: number | null;
  readonly person: NonNullable<RoomInfo['people']>[number] | null;
  readonly isPhone: boolean;
  /** A connection was open before. */
  readonly wasOpen: boolean;
}

/** At the right of the header: who is here, the pins, and the search. A phone has them in the room's settings. */
export function HeaderTools(props: HeaderToolsProps) {
  return (
    <div className={styles.tools}>
      <ConnectionWords {...props} />
      {props.isPhone ? <PhoneTools {...props} /> : <DesktopTools {...props} />}
    </div>
  );
}

/** The state of the connection, for screen readers. The banner shows it. */
function ConnectionWords({ connection, wasOpen }: Pick<HeaderToolsProps, 'connection' | 'wasOpen'>) {
  const text = useText();
  return (
    <p className="visually-hidden" data-status={connection.status} data-testid="connection-state">
      {connectionLabel(text, connection, wasOpen)}
    </p>
  );
}

function PhoneTools({ roomId }: Pick<HeaderToolsProps, 'roomId'>) {
  const { room: texts } = useScreenTexts();
  return (
    <IconButton label={texts.title} data-settings="" onClick={() => showPanel(roomId, 'settings')}>
      <MoreIcon />
    </IconButton>
  );
}

function DesktopTools({ roomId, online, users, members, person }: HeaderToolsProps) {
  const { room: texts, search } = useScreenTexts();
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));
  const isPinsOpen = useRoute(({ route }) => route.page === 'room' && route.panel === 'pins');
  return (
    <>
      {person === null && online !== null && (
        <PeopleButton roomId={roomId} online={online} users={users} members={members} />
      )}
      <IconButton
        label={texts.pins}
        aria-expanded={isPinsOpen}
        onClick={() => (isPinsOpen ? hidePanel(roomId) : showPanel(roomId, 'pins'))}
      >
        <PinIcon />
      </IconButton>
      <IconButton
        label={room?.kind === 'dm' ? search.inConversation : search.inRoom}
        data-find=""
        onClick={() => openSearch(room && inRoom(room))}
      >
        <SearchIcon />
      </IconButton>
    </>
  );
}
