import type { ComponentType } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { useRooms } from '../../stores/rooms.ts';
import { panelPath, showPanel } from '../../stores/route.ts';
import { inRoom, openSearch } from '../../stores/search.ts';
import { FileIcon } from '../../ui/file-icons.tsx';
import { ChevronIcon, SearchIcon } from '../../ui/icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { BellIcon, DoorIcon, InviteIcon, PersonIcon, PinIcon, ShieldIcon } from '../../ui/late-icons.tsx';
import styles from './PartList.module.css';
import type { Part } from './parts.ts';

const ICONS: Readonly<Record<Part, ComponentType<{ readonly size?: number }>>> = {
  about: DoorIcon,
  members: PersonIcon,
  notifications: BellIcon,
  pins: PinIcon,
  files: FileIcon,
  invites: InviteIcon,
  moderation: ShieldIcon,
};

interface PartListProps {
  readonly roomId: number;
  readonly parts: readonly Part[];
  readonly titleOf: (part: Part) => string;
}

/** The parts of a room's settings. Each row leads to one. */
export function PartList({ roomId, parts, titleOf }: PartListProps) {
  const { room: texts, search } = useScreenTexts();
  const room = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId));

  return (
    <nav className={styles.list} aria-label={texts.parts}>
      <button type="button" className={styles.row} onClick={() => openSearch(room && inRoom(room))}>
        <SearchIcon size={20} />
        <span className={styles.name}>{room?.kind === 'dm' ? search.inConversation : search.inRoom}</span>
      </button>
      {parts.map((part) => {
        const Icon = ICONS[part];
        return (
          <a
            key={part}
            href={panelPath(roomId, part)}
            className={styles.row}
            data-part={part}
            onClick={inThisTab(() => showPanel(roomId, part))}
          >
            <Icon size={20} />
            <span className={styles.name}>{titleOf(part)}</span>
            <ChevronIcon size={16} />
          </a>
        );
      })}
    </nav>
  );
}
