import { create } from 'zustand';

interface ShownRooms {
  /** The ids of the rooms in the list, from top to bottom: the order in which the shortcuts visit them. */
  readonly ids: readonly number[];
}

/** What the list of rooms shows now. The list writes it. */
export const useShownRooms = create<ShownRooms>(() => ({ ids: [] }));
