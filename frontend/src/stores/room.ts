import { create } from 'zustand';
import type { Room, RoomState } from '../../../client/index.ts';

interface CurrentRoom {
  /** The room that is open, or null. */
  readonly room: Room | null;
  readonly state: RoomState | null;
}

export const useRoom = create<CurrentRoom>(() => ({ room: null, state: null }));
