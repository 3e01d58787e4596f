/**
 * Earlier versions kept read marks on the device, for every room that was opened there. They become memberships, once.
 * Loaded only when there are any.
 */
import { type RoomsApi, roomsApi } from '../../../client/api/rooms-api.ts';
import { ApiError, type ChatApi, type ChatClient, type RoomsState } from '../../../client/index.ts';
import { parseId } from '../../../protocol/text.ts';
import { localStore } from '../stores/device.ts';

type Chat = Pick<ChatClient, 'rooms' | 'markUnread'> & { readonly api: Pick<ChatApi, 'requests'> };

/** Resolves when nothing is left to do, or when it has to go on at the next start. */
export async function adoptReadMarks(chat: Chat, key: string): Promise<void> {
  const marks = parse(localStore.getItem(key));
  const rooms = roomsApi(chat.api.requests);
  for (const [roomId, seq] of [...marks]) {
    try {
      const isMember = chat.rooms.state.rooms.has(roomId);
      if (!isMember) await joinInTime(rooms, roomId);
      if (!isMember && seq > 0) chat.markUnread(roomId, Math.min(seq, await headOf(chat, roomId)));
    } catch (error) {
      // A room that is gone, or not the user's any more.
      if (!(error instanceof ApiError) || error.retryable) return;
    }
    marks.delete(roomId);
    localStore.setItem(key, JSON.stringify(Object.fromEntries(marks)));
  }
  localStore.removeItem(key);
}

/** The server limits how many rooms a user joins in a while, and the marks may be of hundreds. */
async function joinInTime(rooms: Pick<RoomsApi, 'join'>, roomId: number): Promise<void> {
  for (;;) {
    try {
      await rooms.join(roomId);
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.retryAfterMs === undefined || error.status !== 429)
        throw error;
      const { retryAfterMs } = error;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
  }
}

/** Resolves once the room is on the list. The response to a join may come before the frame of the line. */
function headOf(chat: Chat, roomId: number): Promise<number> {
  return new Promise((resolve) => {
    const look = (state: RoomsState) => {
      const room = state.rooms.get(roomId);
      if (room === undefined) return;
      cancel();
      resolve(room.seq);
    };
    const cancel = chat.rooms.subscribe(look);
    look(chat.rooms.state);
  });
}

/** By room id. Anything else is ignored. */
function parse(text: string | null): Map<number, number> {
  const marks = new Map<number, number>();
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return marks;
    for (const [name, seq] of Object.entries(value)) {
      const roomId = parseId(name);
      if (roomId !== null && Number.isSafeInteger(seq)) marks.set(roomId, seq);
    }
  } catch {
    // Not JSON.
  }
  return marks;
}
