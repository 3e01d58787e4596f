import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRooms } from '../../stores/rooms.ts';

export type EditStop = 'deleted' | 'archived' | 'muted';

/** Why an edit of a message in this room cannot be saved now; null: it can. */
export function useEditStop(roomId: number, isGone: boolean): EditStop | null {
  const isArchived = useRooms(({ rooms }) => rooms.find(({ id }) => id === roomId)?.archived === true);
  const until = useOwnRooms(({ rooms }) => rooms.get(roomId)?.me.silenced_until) ?? '';
  if (isGone) return 'deleted';
  if (isArchived) return 'archived';
  return Date.parse(until) > Date.now() ? 'muted' : null;
}
