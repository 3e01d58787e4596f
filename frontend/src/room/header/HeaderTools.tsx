import type { RoomInfo, RoomState } from '../../../../client/index.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useDialogs } from '../../stores/dialogs.ts';
import { hidePanel, showPanel, useRoute } from '../../stores/route.ts';
import { IconButton } from '../../ui/Button.tsx';
import { MoreIcon, SearchIcon } from '../../ui/icons.tsx';
import { PinIcon } from '../../ui/late-icons.tsx';
import { PeopleButton } from '../people/PeopleButton.tsx';
import styles from './RoomHeader.module.css';

interface HeaderToolsProps extends Pick<RoomState, 'roomId' | 'online' | 'users'> {
  readonly members: number | null;
  readonly person: NonNullable<RoomInfo['people']>[number] | null;
  readonly isPhone: boolean;
}

/** At the right of the header: who is here, the pins, and the search. A phone has them in the room's settings. */
export function HeaderTools({ roomId, online, users, members, person, isPhone }: HeaderToolsProps) {
  const { room: texts } = useScreenTexts();
  const isPinsOpen = useRoute(({ route }) => route.page === 'room' && route.panel === 'pins');
  if (isPhone) {
    return (
      <div className={styles.tools}>
        <IconButton label={texts.title} data-settings="" onClick={() => showPanel(roomId, 'settings')}>
          <MoreIcon />
        </IconButton>
      </div>
    );
  }
  return (
    <div className={styles.tools}>
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
      <IconButton label={texts.search} onClick={() => useDialogs.getState().show({ kind: 'switcher' })}>
        <SearchIcon />
      </IconButton>
    </div>
  );
}
