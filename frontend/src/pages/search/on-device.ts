/** What this device has of the rooms that the user may read. */
import type { SavedPage } from '../../../../client/index.ts';
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { readPage, readRooms } from '../../stores/cache/database.ts';
import { chat } from '../../stores/chat.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { useRoom } from '../../stores/room.ts';
import { useRooms } from '../../stores/rooms.ts';
import { searchDevice } from './device-search.ts';
import type { Result } from './search-state.ts';

export interface DeviceAnswer {
  readonly results: readonly Result[];
  /** How many rooms the device has messages of. */
  readonly rooms: number;
}

/** Searches what this device has. Null: nobody is signed in. */
export async function askDevice(
  query: string,
  { order, timeZone }: { readonly order: SearchOrder; readonly timeZone: string },
): Promise<DeviceAnswer | null> {
  const { user } = chat();
  if (user === null) return null;
  const [kept, savedPage] = await Promise.all([
    readRooms(user.id).catch(() => []),
    readPage<SavedPage>(user.id, 'saved').catch(() => null),
  ]);
  const { rooms: own, blocked } = useOwnRooms.getState();
  const { rooms: listed } = useRooms.getState();
  const rooms = listed.filter(({ id, kind }) => own.has(id) || kind === 'public');
  const readable = new Set(rooms.map(({ id }) => id));
  const saved = savedPage?.saved.map(({ message }) => message) ?? [];
  const { state } = useRoom.getState();
  // The open room is the most recent: the last of an id counts.
  const all = [...saved, ...kept.flatMap(({ snapshot }) => snapshot.messages), ...(state?.messages ?? [])];
  const byId = new Map(all.map((message) => [message.id, message]));
  const messages = [...byId.values()].filter(({ room_id: id }) => readable.has(id));
  const results = searchDevice(query, {
    ...{ messages, rooms, blocked, order, timeZone, me: user, now: Date.now() },
    ownIds: new Set(own.keys()),
    savedIds: new Set(saved.map(({ id }) => id)),
  });
  return { results, rooms: new Set(messages.map(({ room_id: id }) => id)).size };
}
