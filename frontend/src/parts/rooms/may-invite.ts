import type { RoomInfo } from '../../../../client/index.ts';

/** Whether the user may make links that lead into the room. */
export function mayInvite({ kind, me_role: role, settings }: RoomInfo): boolean {
  return kind !== 'dm' && role !== undefined && (role !== 'member' || settings.invite !== 'moderator');
}
