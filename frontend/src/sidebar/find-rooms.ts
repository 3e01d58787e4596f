import { nameKey } from '../../../protocol/text.ts';

/** The rooms whose name contains the query, in their order; all when it is empty. */
export function findRooms<T extends { readonly name: string }>(
  rooms: readonly T[],
  query: string,
): readonly T[] {
  const key = nameKey(query.trim());
  return key === '' ? rooms : rooms.filter((room) => nameKey(room.name).includes(key));
}
