import { create } from 'zustand';
import type { Room, RoomState } from '../../../client/index.ts';
import { keepRoom } from '../cache/last-seen.ts';
import { checkForUpdate } from '../updates/service-worker.ts';
import { rememberLastRoom } from './device.ts';
import { oncePerFrame } from './next-frame.ts';
import { useReadMarks } from './read-marks.ts';
import { useRooms } from './rooms.ts';
import { chat } from './session.ts';

interface CurrentRoom {
  /** The room that is open, or null. */
  readonly room: Room | null;
  readonly state: RoomState | null;
}

export const useRoom = create<CurrentRoom>(() => ({ room: null, state: null }));

/** Enters a room, as the one room that is open; returns what leaves it. */
export function openRoom(roomId: number): () => void {
  const room = chat.enter(roomId);
  useRoom.setState({ room, state: room.state });
  rememberLastRoom(room.state.me.id, roomId);
  // A busy room changes hundreds of times a second; the eye sees sixty.
  const update = oncePerFrame(() => follow(room, room.state));
  const unfollow = room.on('state', update.ask);
  return () => {
    unfollow();
    update.cancel();
    room.leave();
    if (useRoom.getState().room === room) useRoom.setState({ room: null, state: null });
  };
}

function follow(room: Room, state: RoomState): void {
  const before = useRoom.getState();
  if (before.room !== room) return;
  useRoom.setState({ state });
  // History may come before hello: only with that is it known what it belongs to.
  const isNews = (['messages', 'head', 'epoch'] as const).some(
    (part) => state[part] !== before.state?.[part],
  );
  if (isNews) keepRoom(state.me.id, state);
  // From now on this room is one of the user's, and what is said in it is unread until it is seen.
  if (state.loaded && state.messages.length === 0) useReadMarks.getState().markRead(state.roomId, 0);
  const rooms = useRooms.getState();
  if (state.online !== null && state.online !== before.state?.online)
    rooms.setOnline(state.roomId, state.online);
  const opened = state.connection.status === 'open' && before.state?.connection.status !== 'open';
  if (!opened) return;
  void rooms.refresh();
  // A server that was away may have come back as a newer one.
  if (state.connections > 1) checkForUpdate();
}
