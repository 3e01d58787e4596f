import { readList } from '../cache/database.ts';
import { keepList } from '../cache/last-seen.ts';
import { useRooms } from '../stores/rooms.ts';

const POLL_MS = 10_000;

/**
 * Keeps the list live: fetches it every 10 s while the page is visible, and at once when the page becomes visible or
 * the browser comes online. Returns the function that ends that.
 */
export function followRooms(userId: number): () => void {
  let isFollowed = true;
  readList(userId).then(
    (rooms) => isFollowed && useRooms.getState().restore(rooms),
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
    isFollowed = false;
    unkeep();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
    window.removeEventListener('focus', refresh);
    window.removeEventListener('online', refresh);
  };
}
