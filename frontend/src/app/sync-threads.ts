import type { RoomsState } from '../../../client/index.ts';
import { chat } from '../stores/chat.ts';
import { onRoomsLost } from '../stores/own-rooms.ts';
import { useRoom } from '../stores/room.ts';
import { refreshThreads, restoreThreads, useThreads } from '../stores/threads.ts';

/** Changes that come together are read once. */
const GATHER_MS = 400;
/**
 * What a room that is not open has had besides texts may be a reply, or a reaction: many clients must not ask for each
 * of them at once. A reply that notifies is read after `GATHER_MS`.
 */
const SPREAD_MS = 5000;

/**
 * Keeps the followed threads up to date, in all rooms: at the start, after a reconnection, when the user follows or
 * reads a thread anywhere or loses a room, and when a thread may have a reply. Returns the function that ends that.
 */
export function syncThreads(): () => void {
  const { notifications, rooms } = chat();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = Number.POSITIVE_INFINITY;
  // The first call sets the time: under a steady stream of changes the list is still read.
  const within = (ms: number) => {
    const at = Date.now() + ms;
    if (at >= dueAt) return;
    dueAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => {
      dueAt = Number.POSITIVE_INFINITY;
      refreshThreads();
    }, ms);
  };
  const soon = () => within(GATHER_MS);
  const cancels = [
    notifications.on('thread_follow', soon),
    notifications.on('notify', ({ reason }) => reason !== 'all' && soon()),
    watchOpenRoom(soon),
    onRoomsLost(soon),
    watchOthers(rooms, soon, () => within(SPREAD_MS * (1 + Math.random()))),
  ];
  // An earlier user's.
  useThreads.setState({ followed: null, hasFailed: false });
  void restoreThreads();
  soon();
  return () => {
    clearTimeout(timer);
    for (const cancel of cancels) cancel();
  };
}

/** Calls back when a thread of the open room has changed. */
function watchOpenRoom(onChange: () => void): () => void {
  let end: () => void = () => {};
  const listen = () => {
    end();
    end =
      useRoom.getState().room?.on('log', ({ states, delta }) => {
        if (delta?.type === 'thread' || states.some(({ thread_id }) => thread_id !== undefined)) onChange();
      }) ?? (() => {});
  };
  const unsubscribe = useRoom.subscribe((now, before) => {
    if (now.room !== before.room) listen();
  });
  listen();
  return () => {
    unsubscribe();
    end();
  };
}

/** Calls back when the list of rooms is live again, and when a room that has followed threads had more than texts. */
function watchOthers(
  list: { readonly state: RoomsState; subscribe(listener: (state: RoomsState) => void): () => void },
  onLive: () => void,
  onOther: () => void,
): () => void {
  let before = list.state;
  return list.subscribe((now) => {
    if (now.phase === 'live' && before.phase !== 'live') onLive();
    for (const { root } of useThreads.getState().followed ?? []) {
      const [room, old] = [now.rooms.get(root.room_id), before.rooms.get(root.room_id)];
      if (room === old || room === undefined || old === undefined) continue;
      if (room.seq - old.seq > room.number - old.number) onOther();
    }
    before = now;
  });
}
