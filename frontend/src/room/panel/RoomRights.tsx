import type { RoomInfo } from '../../../../client/index.ts';
import { ROOM_CALL_FREE_TO } from '../../../../protocol/limits.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { roomRequests } from '../../stores/requests.ts';
import { Select } from '../../ui/Select.tsx';
import { useRequest } from '../../ui/use-loaded.ts';

interface RoomRightsProps {
  readonly room: RoomInfo;
  readonly onChanged: (room: RoomInfo) => void;
}

const RIGHTS = ['invite', 'pin', 'mention_room'] as const;

/** What the members of a room may do, and what only its moderators. Each choice is saved at once. */
export function RoomRights({ room, onChanged }: RoomRightsProps) {
  const { room: texts } = useScreenTexts();
  const { busy, run } = useRequest();
  const { settings } = room;
  const isLarge = room.members > ROOM_CALL_FREE_TO;
  return RIGHTS.map((right) => {
    const usual = right === 'mention_room' && isLarge ? 'moderator' : 'member';
    return (
      <Select
        key={right}
        label={texts.rights[right]}
        aria-disabled={busy}
        value={settings?.[right] ?? usual}
        onChange={({ target: { value } }) => {
          const role = value === 'moderator' ? 'moderator' : 'member';
          // A change replaces all of them.
          void run(async () =>
            onChanged(await roomRequests().update(room.id, { settings: { ...settings, [right]: role } })),
          );
        }}
      >
        <option value="member">{texts.rightsOf.member}</option>
        <option value="moderator">{texts.rightsOf.moderator}</option>
      </Select>
    );
  });
}
