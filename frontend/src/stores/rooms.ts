import { create } from 'zustand';
import { ApiError, type RoomInfo } from '../../../client/index.ts';
import { ROOMS_PAGE } from '../../../protocol/limits.ts';
import type { RoomFacts } from '../../../protocol/rooms.ts';
import { chat } from './chat.ts';
import { ownRoomsRestored, useOwnRooms } from './own-rooms.ts';

interface RoomsStore {
  readonly status: 'loading' | 'ready' | 'failed';
  /** Newest first. */
  readonly rooms: readonly RoomInfo[];
  /** The server has more rooms than it lists. `search` finds the others. */
  readonly isCut: boolean;
  /** The last fetch failed: names are still right, counts may not be. */
  readonly stale: boolean;
  /** Monotonic milliseconds: the server asked for no fetch before then. */
  readonly retryAt: number;
  /** Fetches the list. While a fetch is under way, returns that one. */
  refresh(): Promise<void>;
  /** Searches for rooms beyond the end of the list, and adds what it finds. Never rejects. */
  search(query: string): Promise<void>;
  /** Puts a room that was just made into the list. */
  add(room: RoomInfo): void;
  /** Makes sure that the name of a room opened by its address is known, however long the list is. */
  ensure(roomId: number): Promise<void>;
  /** Shows the rooms last seen until the list has loaded. */
  restore(rooms: readonly RoomInfo[]): void;
  setOnline(roomId: number, online: number): void;
  /** The user has lost the room. A list that still has it brings it back. */
  drop(roomId: number): void;
  /** What a notice in the room says that it is now. */
  learn(roomId: number, facts: RoomFacts): void;
  /** Adds what the user's own list of rooms says. Direct conversations are in no other. */
  adopt(rooms: readonly RoomInfo[]): void;
  clear(): void;
}

/** As many as a user looks through. */
const SEARCH_LIMIT = 50;

let refreshing: Promise<void> | null = null;

export const useRooms = create<RoomsStore>((set, get) => {
  async function fetchRooms(): Promise<void> {
    try {
      const listed = await chat().browseRooms();
      await ownRoomsRestored();
      const rooms = withListed(get().rooms, listed);
      set({ status: 'ready', rooms, isCut: listed.length >= ROOMS_PAGE.max, stale: false });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Clients behind one address are refused together. They return spread over as long again.
      const pauseMs = (error.retryAfterMs ?? 0) * (1 + Math.random());
      const status = get().status === 'loading' ? 'failed' : get().status;
      set({ status, stale: true, retryAt: performance.now() + pauseMs });
    }
  }

  function put(found: readonly RoomInfo[]): void {
    set({ rooms: withFound(get().rooms, found) });
  }

  return {
    status: 'loading',
    rooms: [],
    isCut: false,
    stale: false,
    retryAt: 0,
    refresh: () => {
      refreshing ??= fetchRooms().finally(() => {
        refreshing = null;
      });
      return refreshing;
    },
    search: async (query) =>
      put(
        await chat()
          .api.listRooms({ q: query, limit: SEARCH_LIMIT })
          .catch(() => []),
      ),
    add: (room) => put([named(room)]),
    ensure: async (roomId) => {
      if (get().status === 'loading') await get().refresh();
      if (get().rooms.some((room) => room.id === roomId)) return;
      const room = await chat()
        .api.findRoom(roomId)
        .catch(() => null);
      if (room !== null) put([named(room)]);
    },
    restore: (rooms) => {
      if (get().status === 'ready' || rooms.length === 0) return;
      const held = new Set(get().rooms.map((room) => room.id));
      put(rooms.filter((room) => !held.has(room.id)));
      set({ stale: true });
    },
    setOnline: (roomId, online) =>
      set({ rooms: get().rooms.map((room) => (room.id === roomId ? { ...room, online } : room)) }),
    drop: (roomId) => set({ rooms: get().rooms.filter(({ id }) => id !== roomId) }),
    learn: (roomId, facts) => {
      const room = get().rooms.find(({ id }) => id === roomId);
      if (room !== undefined) put([named({ ...room, ...facts })]);
    },
    adopt: (own) => {
      const known = new Map(get().rooms.map((room) => [room.id, room]));
      put(own.map((room) => ({ ...named(room), online: known.get(room.id)?.online ?? room.online })));
    },
    clear: () => set({ status: 'loading', rooms: [], isCut: false, stale: false }),
  };
});

/** What the server lists. A room beyond its end stays when it was opened by its address or found by a search. */
function withListed(held: readonly RoomInfo[], listed: readonly RoomInfo[]): readonly RoomInfo[] {
  const ids = new Set(listed.map((room) => room.id));
  const own = useOwnRooms.getState().rooms;
  const beyond = held.filter(({ id }) => !ids.has(id) && (id < (listed.at(-1)?.id ?? 0) || own.has(id)));
  return unchanged(held, [...listed, ...beyond]);
}

/** The rooms that are held, with those that were found. */
function withFound(held: readonly RoomInfo[], found: readonly RoomInfo[]): readonly RoomInfo[] {
  const ids = new Set(found.map((room) => room.id));
  const others = held.filter((room) => !ids.has(room.id));
  const rooms = [...others, ...found].sort((a, b) => b.id - a.id);
  return unchanged(held, rooms);
}

/** A direct conversation goes by its people. */
function named(room: RoomInfo): RoomInfo {
  if (room.kind !== 'dm') return room;
  const names = room.people?.map(({ display_name, username }) => display_name || username) ?? [];
  return { ...room, name: names.join(', ') };
}

/** `after`, with the same object for every room that did not change: only rows that changed render again. */
function unchanged(before: readonly RoomInfo[], after: readonly RoomInfo[]): readonly RoomInfo[] {
  const known = new Map(before.map((room) => [room.id, room]));
  const kept = after.map((room) => {
    const old = known.get(room.id);
    const same =
      old !== undefined &&
      old.name === room.name &&
      old.emoji === room.emoji &&
      old.hue === room.hue &&
      old.topic === room.topic &&
      old.archived === room.archived &&
      old.kind === room.kind &&
      old.members === room.members &&
      old.online === room.online;
    return same ? old : room;
  });
  return kept.length === before.length && kept.every((room, index) => room === before[index]) ? before : kept;
}
