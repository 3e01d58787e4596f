import { create } from 'zustand';
import type { Room, RoomState } from '../../../client/index.ts';

interface CurrentRoom {
  /** The room that is open, or null. */
  readonly room: Room | null;
  readonly state: RoomState | null;
}

export const useRoom = create<CurrentRoom>(() => ({ room: null, state: null }));

/** Whether the open room does not exist, or the user has lost it. */
export function isRoomGone({ state }: Pick<CurrentRoom, 'state'>): boolean {
  return state?.connection.status === 'closed' && state.connection.reason === 'room_gone';
}
