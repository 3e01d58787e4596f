/** Keeps what is seen on the device, a moment later and never in the way of what the user does. */
import type { RoomInfo, RoomState } from '../../../client/index.ts';
import { boundedSnapshot } from './bounded.ts';
import { deleteAll, writeList, writeRoom } from './database.ts';

/** What changes again and again is written so often at most. */
const WRITE_EVERY_MS = 1000;

/** What is to be written, by what it is: the newest alone counts. */
const due = new Map<string, () => Promise<void>>();
let timer: ReturnType<typeof setTimeout> | undefined;

export function keepRoom(userId: number, state: RoomState): void {
  write(`room ${state.roomId}`, async () => {
    const snapshot = boundedSnapshot(state);
    if (snapshot !== null) await writeRoom(userId, state.roomId, snapshot);
  });
}

export function keepList(userId: number, rooms: readonly RoomInfo[]): void {
  // Who was there is no news any more when it is read.
  write('list', () =>
    writeList(
      userId,
      rooms.map((room) => ({ ...room, online: 0 })),
    ),
  );
}

/** Deletes what is kept of a user who signed out, and writes nothing more of theirs. */
export async function forgetLastSeen(userId: number): Promise<void> {
  due.clear();
  await deleteAll(userId).catch(ignore);
}

/** Writes at once when the page may be about to go. */
export function flushWhenHidden(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush();
  });
  window.addEventListener('pagehide', flush);
}

function write(what: string, task: () => Promise<void>): void {
  due.set(what, task);
  timer ??= setTimeout(flush, WRITE_EVERY_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const tasks = [...due.values()];
  due.clear();
  // A device that refuses to store opens with less.
  for (const task of tasks) void task().catch(ignore);
}

function ignore(): void {}
