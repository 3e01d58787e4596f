import type { RoomInfo } from '../../../client/index.ts';
import { nameKey } from '../../../protocol/text.ts';

/** The rooms whose name contains the query, in the order of the list; all rooms when it is empty. */
export function findRooms(rooms: readonly RoomInfo[], query: string): readonly RoomInfo[] {
  const key = nameKey(query.trim());
  return key === '' ? rooms : rooms.filter((room) => nameKey(room.name).includes(key));
}
