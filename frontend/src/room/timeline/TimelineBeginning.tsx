import { useScreenTexts } from '../../i18n/screens.ts';
import { useRooms } from '../../stores/rooms.ts';

interface TimelineBeginningProps {
  readonly roomId: number;
  readonly name: string;
}

/** The words above the first message of a room. */
export function TimelineBeginning({ roomId, name }: TimelineBeginningProps) {
  const { beginning, dm } = useScreenTexts();
  const isDirect = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId)?.kind === 'dm');
  return isDirect ? dm.beginning(name) : beginning(name);
}
