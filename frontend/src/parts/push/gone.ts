/** Which notifications are about a message that is gone. */
import { ApiError, type ListedRoom, type Message } from '../../../../client/index.ts';

/** As `messagePath` makes it. */
const MESSAGE_PATH = /^\/rooms\/([1-9][0-9]*)\/m\/([1-9][0-9]*)$/;
const MAX_ASKED = 100;

type Get = (roomId: number, messageId: number) => Promise<Pick<Message, 'deleted_at'>>;
type Rooms = ReadonlyMap<number, Pick<ListedRoom, 'seq' | 'number'>>;

/**
 * Whether the message at this path was deleted, or may not be seen any more. The server is asked once, and again when
 * the room has had more than new texts: a deletion is an event without one.
 */
export function goneMessages(get: Get): (path: string, rooms: Rooms) => Promise<boolean> {
  /** By path: how many events without a text the room had. */
  const asked = new Map<string, number>();
  return async (path, rooms) => {
    const [, roomId, messageId] = (MESSAGE_PATH.exec(path) ?? []).map(Number);
    if (roomId === undefined || messageId === undefined) return false;
    const room = rooms.get(roomId);
    const changes = room === undefined ? -1 : room.seq - room.number;
    if (asked.get(path) === changes) return false;
    if (asked.size >= MAX_ASKED) asked.clear();
    asked.set(path, changes);
    try {
      return (await get(roomId, messageId)).deleted_at !== undefined;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return true;
      asked.delete(path);
      return false;
    }
  };
}
