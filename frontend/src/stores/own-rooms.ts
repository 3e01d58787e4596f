/** The rooms that the user is a member of, with read marks and unread counts. They are the same on all devices. */
import { create } from 'zustand';
import { isListCurrent, type ListedRoom, type RoomsState } from '../../../client/index.ts';
import { chat } from './chat.ts';
import { oncePerFrame } from './next-frame.ts';

interface OwnRoomsStore {
  /** By room id. */
  readonly rooms: ReadonlyMap<number, ListedRoom>;
  /** Whether the server has said what other devices have done meanwhile. Until then the list may be an earlier one. */
  readonly isCurrent: boolean;
  /** Whether it has been current since the page was opened; stays so when the connection is lost. */
  readonly wasCurrent: boolean;
  /** The ids of blocked users. Their messages are folded. */
  readonly blocked: ReadonlySet<number>;
}

export const useOwnRooms = create<OwnRoomsStore>(() => ({
  rooms: new Map(),
  isCurrent: false,
  wasCurrent: false,
  blocked: new Set(),
}));

/** Keeps the user's rooms in sync. Returns the function that ends that. */
export function syncOwnRooms(onChange: (state: RoomsState) => void): () => void {
  const list = chat().rooms;
  // A busy room changes hundreds of times a second, a screen sixty.
  const update = oncePerFrame(() => {
    show();
    onChange(list.state);
  });
  const unsubscribe = list.subscribe(update.ask);
  const flush = () => list.flush();
  window.addEventListener('pagehide', flush);
  show();
  return () => {
    window.removeEventListener('pagehide', flush);
    unsubscribe();
    update.cancel();
    useOwnRooms.setState(useOwnRooms.getInitialState());
  };
}

/** The room that the user has marked as unread while it is open. */
let keptUnread: number | null = null;

/** Makes everything after `seq` unread, and keeps it so until the user opens a room again. */
export function keepUnread(roomId: number, seq: number): void {
  keptUnread = roomId;
  chat().rooms.markUnread(roomId, seq);
  show();
}

/** A room is opened: from now on, what is in sight counts as read. */
export function endKeptUnread(): void {
  keptUnread = null;
}

/** Marks a room as read up to `seq`. It is shown at once: a message that is read as it arrives was never unread. */
export function markRead(roomId: number, seq: number): void {
  if (roomId === keptUnread) return;
  chat().markRead(roomId, seq);
  show();
}

/** Calls back with the rooms that the user has lost or left. Returns the function that ends that. */
export function onRoomsLost(listener: (roomIds: ReadonlySet<number>) => void): () => void {
  return useOwnRooms.subscribe(({ rooms, wasCurrent }, before) => {
    // After a sign-out there are none, and nothing more to do about them.
    if (rooms === before.rooms || !wasCurrent) return;
    const lost = [...before.rooms.keys()].filter((id) => !rooms.has(id));
    if (lost.length > 0) listener(new Set(lost));
  });
}

/** How many messages of a room are unread; 0 where the user is no member. */
export function unreadOf(rooms: ReadonlyMap<number, ListedRoom>, roomId: number): number {
  return rooms.get(roomId)?.unread ?? 0;
}

/** Resolves once the rooms last seen on this device are shown: before that, no row knows its group. */
export async function ownRoomsRestored(): Promise<void> {
  await chat().rooms.ready();
  show();
}

function show(): void {
  const { state } = chat().rooms;
  const { rooms, blocked } = state;
  const isCurrent = isListCurrent(state);
  const before = useOwnRooms.getState();
  const isSame = before.rooms === rooms && before.isCurrent === isCurrent && before.blocked === blocked;
  const wasCurrent = before.wasCurrent || isCurrent;
  if (!isSame) useOwnRooms.setState({ rooms, isCurrent, wasCurrent, blocked });
}
