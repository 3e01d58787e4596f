/** Keeps what the user sees on the device: a moment later, so that it is never in their way. */
import { type RoomInfo, type RoomState, type RoomsState, roomsSnapshotOf } from '../../../../client/index.ts';
import { boundedSnapshot } from './bounded.ts';
import {
  deleteAll,
  deletePage,
  deleteRoom,
  type PageName,
  writeList,
  writeOwnRooms,
  writePage,
  writeRoom,
} from './database.ts';

/** The shortest time between two writes. */
const WRITE_EVERY_MS = 1000;

/** The writes that are due, by what they write: only the newest of each counts. */
const due = new Map<string, () => Promise<void>>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Users who signed out. What still runs for them, such as a room that closes, must write nothing any more. */
const forgotten = new Set<number>();

export function keepRoom(userId: number, state: RoomState): void {
  write(userId, `room ${state.roomId}`, async () => {
    const snapshot = boundedSnapshot(state);
    if (snapshot !== null) await writeRoom(userId, state.roomId, snapshot);
  });
}

/**
 * Deletes what is kept of a room that the user may not read any more, or has left. The pages that list messages of all
 * rooms are deleted whole: they are kept again when they are next loaded.
 */
export function forgetRoom(userId: number, roomId: number): void {
  write(userId, `room ${roomId}`, () => deleteRoom(userId, roomId));
  for (const name of ['inbox', 'threads', 'saved'] as const)
    write(userId, `page ${name}`, () => deletePage(userId, name));
}

export function keepList(userId: number, rooms: readonly RoomInfo[]): void {
  // The online counts would be outdated when they are read.
  write(userId, 'list', () =>
    writeList(
      userId,
      rooms.map((room) => ({ ...room, online: 0 })),
    ),
  );
}

export function keepOwnRooms(state: RoomsState): void {
  write(state.userId, 'own', async () => {
    const snapshot = roomsSnapshotOf(state);
    if (snapshot !== null) await writeOwnRooms(state.userId, snapshot);
  });
}

export function keepPage(userId: number, name: PageName, value: unknown): void {
  write(userId, `page ${name}`, () => writePage(userId, name, value));
}

/** Deletes what is kept of a user who signed out, drops the writes that are due, and refuses further ones. */
export async function forgetLastSeen(userId: number): Promise<void> {
  forgotten.add(userId);
  due.clear();
  await deleteAll(userId).catch(ignore);
}

/** The user has signed in: what they see is kept from now on. */
export function keepLastSeen(userId: number): void {
  forgotten.delete(userId);
}

/** Writes at once when the page may be about to close. */
export function flushWhenHidden(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') flush();
  });
  window.addEventListener('pagehide', flush);
}

function write(userId: number, what: string, task: () => Promise<void>): void {
  if (forgotten.has(userId)) return;
  due.set(what, task);
  timer ??= setTimeout(flush, WRITE_EVERY_MS);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  const tasks = [...due.values()];
  due.clear();
  // On a device that refuses to store, the client opens with less.
  for (const task of tasks) void task().catch(ignore);
}

function ignore(): void {}
