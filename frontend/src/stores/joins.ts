/** Public rooms that the user has joined while the server was out of reach. The device keeps them until it is back. */
import { create } from 'zustand';
import { ApiError, type RoomInfo } from '../../../client/index.ts';
import { parseId } from '../../../protocol/text.ts';
import { chat } from './chat.ts';
import { localStore } from './device.ts';
import { roomRequests } from './requests.ts';
import { useRooms } from './rooms.ts';

/** The pause before the server is asked again. */
export const RETRY_MS = 10_000;

interface JoinsStore {
  /** Rooms that are joined when the server is back. */
  readonly waiting: ReadonlySet<number>;
}

export const useJoins = create<JoinsStore>(() => ({ waiting: new Set() }));

/** Joins a public room: now, or when the server is back; then null. Rejects with `ApiError` when it is refused. */
export async function joinRoom(roomId: number): Promise<RoomInfo | null> {
  try {
    const room = await roomRequests().join(roomId);
    void useRooms.getState().refresh();
    return room;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 0) throw error;
    wait(roomId, true);
    return null;
  }
}

/** Shows what is kept on the device. */
export function restoreJoins(): void {
  useJoins.setState({ waiting: kept() });
}

/** Joins the rooms that wait. Resolves with the milliseconds after which to try again; undefined when none is left. */
export async function joinWaiting(): Promise<number | undefined> {
  const user = chat().user?.id;
  for (const roomId of kept()) {
    try {
      await roomRequests().join(roomId);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The session has expired, and the user will be back.
      if (error.status === 401) return undefined;
      if (error.retryable) return error.retryAfterMs ?? RETRY_MS;
      // The room is gone, or not open to the user any more.
    }
    // Somebody else may have signed in meanwhile, and would join the next room.
    if (chat().user?.id !== user) return undefined;
    wait(roomId, false);
    void useRooms.getState().refresh();
  }
  return undefined;
}

/** Read anew each time: the user's other tabs write it, too. */
function kept(): Set<number> {
  const ids = (localStore.getItem(keyOf()) ?? '').split(',').map(parseId);
  return new Set(ids.filter((id) => id !== null));
}

function wait(roomId: number, isWaiting: boolean): void {
  // They have signed out meanwhile.
  if (chat().user === null) return;
  const waiting = kept();
  if (isWaiting) waiting.add(roomId);
  else waiting.delete(roomId);
  if (waiting.size === 0) localStore.removeItem(keyOf());
  else localStore.setItem(keyOf(), [...waiting].join());
  useJoins.setState({ waiting });
}

function keyOf(): string {
  return `chat_joins:${chat().user?.id ?? ''}`;
}
