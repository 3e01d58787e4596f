import { create } from 'zustand';
import { ApiError, type RoomInfo } from '../../../client/index.ts';
import { chat } from './session.ts';

interface RoomsStore {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rooms: readonly RoomInfo[];
  /** Fetches the list; while a fetch is under way, that one counts. */
  refresh(): Promise<void>;
  /** Rejects with an `ApiError`. */
  create(name: string): Promise<RoomInfo>;
  /** Makes sure that a room opened by its address is known by name, however long the list is. */
  ensure(roomId: number): Promise<void>;
  setOnline(roomId: number, online: number): void;
  clear(): void;
}

let refreshing: Promise<void> | null = null;

export const useRooms = create<RoomsStore>((set, get) => {
  async function fetchRooms(): Promise<void> {
    try {
      const listed = await chat.rooms();
      const ids = new Set(listed.map((room) => room.id));
      // A room beyond the end of the list stays known when it was opened by its address.
      const beyond = get().rooms.filter((room) => !ids.has(room.id) && room.id < (listed.at(-1)?.id ?? 0));
      set({ status: 'ready', rooms: [...listed, ...beyond] });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (get().status === 'loading') set({ status: 'failed' });
    }
  }

  function put(room: RoomInfo): void {
    const others = get().rooms.filter((other) => other.id !== room.id);
    set({ rooms: [...others, room].sort((a, b) => b.id - a.id) });
  }

  return {
    status: 'loading',
    rooms: [],
    refresh: () => {
      refreshing ??= fetchRooms().finally(() => {
        refreshing = null;
      });
      return refreshing;
    },
    create: async (name) => {
      const room = await chat.createRoom(name);
      put(room);
      return room;
    },
    ensure: async (roomId) => {
      if (get().status === 'loading') await get().refresh();
      if (get().rooms.some((room) => room.id === roomId)) return;
      const room = await chat.api.findRoom(roomId).catch(() => null);
      if (room !== null) put(room);
    },
    setOnline: (roomId, online) =>
      set({ rooms: get().rooms.map((room) => (room.id === roomId ? { ...room, online } : room)) }),
    clear: () => set({ status: 'loading', rooms: [] }),
  };
});

const POLL_MS = 10_000;

/** Keeps the list live: every 10 s while the page is seen, and at once when it is seen or online again. */
export function followRooms(): () => void {
  const refresh = () => {
    if (document.visibilityState === 'visible') void useRooms.getState().refresh();
  };
  refresh();
  const timer = setInterval(refresh, POLL_MS);
  document.addEventListener('visibilitychange', refresh);
  window.addEventListener('focus', refresh);
  window.addEventListener('online', refresh);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', refresh);
    window.removeEventListener('focus', refresh);
    window.removeEventListener('online', refresh);
  };
}
