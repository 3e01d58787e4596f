import type { RoomInfo } from '../../../client/index.ts';
import { restoreBlocked } from '../stores/blocked.ts';
import { readList } from '../stores/cache/database.ts';
import { forgetRoom, keepList, keepOwnRooms } from '../stores/cache/last-seen.ts';
import { chat } from '../stores/chat.ts';
import { localStore, readMarksKey } from '../stores/device.ts';
import { ownRoomsRestored, syncOwnRooms } from '../stores/own-rooms.ts';
import { useRooms } from '../stores/rooms.ts';

const POLL_MS = 10_000;

/**
 * Keeps the list live: fetches it every 10 s while the page is visible, and at once when the page becomes visible or
 * the browser comes online. Returns the function that ends that.
 */
export function syncRooms(userId: number): () => void {
  let isSynced = true;
  // Together: a list without its unread marks would be painted in other groups, and jump.
  Promise.all([readList(userId), ownRoomsRestored()]).then(
    ([rooms]) => isSynced && useRooms.getState().restore(rooms),
    () => {},
  );
  const unkeep = useRooms.subscribe(({ status, rooms }, before) => {
    if (status === 'ready' && rooms !== before.rooms) keepList(userId, rooms);
  });
  const refresh = () => {
    const { retryAt, refresh: fetchList } = useRooms.getState();
    if (document.visibilityState === 'visible' && performance.now() >= retryAt) void fetchList();
  };
  refresh();
  const timer = setInterval(refresh, POLL_MS);
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('focus', refresh);
  window.addEventListener('online', refresh);
  return () => {
    isSynced = false;
    unkeep();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
    window.removeEventListener('focus', refresh);
    window.removeEventListener('online', refresh);
  };
}

/**
 * Keeps the rooms that the user is a member of in sync, and on the device. Returns the function that ends that.
 */
export function syncOwn(userId: number): () => void {
  restoreBlocked(userId);
  let hasBegun = false;
  let adopted: readonly RoomInfo[] = [];
  return syncOwnRooms((state) => {
    keepOwnRooms(state);
    const rooms = [...state.rooms.values()].map(({ room }) => room);
    // Most changes are counts.
    if (rooms.length !== adopted.length || rooms.some((room, index) => room !== adopted[index])) {
      for (const { id } of adopted) if (!state.rooms.has(id)) forgetRoom(userId, id);
      adopted = rooms;
      useRooms.getState().adopt(rooms);
    }
    if (hasBegun || state.phase !== 'live') return;
    hasBegun = true;
    const key = readMarksKey(userId);
    if (localStore.getItem(key) === null) return;
    void import('./adopt-read-marks.ts').then(({ adoptReadMarks }) => adoptReadMarks(chat(), key));
  });
}
