import type { Room, RoomState } from '../../../client/index.ts';
import { forgetRoom, keepRoom } from '../stores/cache/last-seen.ts';
import { chat } from '../stores/chat.ts';
import { rememberLastRoom } from '../stores/device.ts';
import { oncePerFrame } from '../stores/next-frame.ts';
import { endKeptUnread } from '../stores/own-rooms.ts';
import { isRoomGone, useRoom } from '../stores/room.ts';
import { useRooms } from '../stores/rooms.ts';

/** One thing that follows from a change of the open room. */
type Consequence = (state: RoomState, before: RoomState | null) => void;

const CONSEQUENCES: readonly Consequence[] = [keepSnapshot, listOnline, refreshList, dropGone];

/** Rooms that were used last stay connected, so that going back to one takes no time. */
const KEPT_OPEN = 2;
const kept: Room[] = [];

/** Enters a room, as the one room that is open. Returns the function that leaves it. */
export function openRoom(roomId: number): () => void {
  endKeptUnread();
  const room = chat().enter(roomId);
  chat().setHere(roomId);
  const index = kept.indexOf(room);
  if (index >= 0) kept.splice(index, 1);
  useRoom.setState({ room, state: room.state });
  rememberLastRoom(room.state.me.id, roomId);
  // A busy room changes hundreds of times a second, a screen sixty.
  const update = oncePerFrame(() => show(room));
  const unsubscribe = room.on('state', update.ask);
  // A member's list has it, too. Anybody else would wait for the next list of all rooms.
  const unlearn = room.on('notice', ({ notice }) => {
    if (notice !== undefined && 'room' in notice) useRooms.getState().learn(roomId, notice.room);
  });
  return () => {
    unsubscribe();
    unlearn();
    update.cancel();
    room.setTyping(false);
    if (!isRoomGone(room)) keepRoom(room.state.me.id, room.state);
    chat().rooms.flush(roomId);
    chat().setHere(null);
    kept.push(room);
    if (kept.length > KEPT_OPEN) kept.shift()?.leave();
    if (useRoom.getState().room === room) useRoom.setState({ room: null, state: null });
  };
}

function show(room: Room): void {
  const { room: open, state: before } = useRoom.getState();
  if (open !== room) return;
  const { state } = room;
  useRoom.setState({ state });
  for (const act of CONSEQUENCES) act(state, before);
}

/** History may arrive before hello. Only after hello is it known which epoch it belongs to, so both count as news. */
function keepSnapshot(state: RoomState, before: RoomState | null): void {
  const isNews = (['messages', 'head', 'epoch'] as const).some((part) => state[part] !== before?.[part]);
  if (isNews) keepRoom(state.me.id, state);
}

/** The room knows who is online before the list does. */
function listOnline({ roomId, online }: RoomState, before: RoomState | null): void {
  if (online !== null && online !== before?.online) useRooms.getState().setOnline(roomId, online);
}

/** The way to one's rooms must not lead back to it, and the device keeps nothing of it. */
function dropGone(state: RoomState, before: RoomState | null): void {
  if (!isRoomGone({ state }) || isRoomGone({ state: before })) return;
  useRooms.getState().drop(state.roomId);
  forgetRoom(state.me.id, state.roomId);
}

function refreshList({ connection }: RoomState, before: RoomState | null): void {
  const hasOpened = connection.status === 'open' && before?.connection.status !== 'open';
  if (hasOpened) void useRooms.getState().refresh();
}
