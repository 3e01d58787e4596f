import { create } from 'zustand';
import { localStore } from './device.ts';

const KEY = 'chat_folded_groups';

interface FoldedGroups {
  /** The groups of the room list that show their heading alone, on this device. */
  readonly folded: readonly string[];
  /** Whether all unread rooms are shown, until the page is loaded again. */
  readonly hasRest: boolean;
  toggle(group: string): void;
  showRest(isShown: boolean): void;
}

export const useFoldedGroups = create<FoldedGroups>((set, get) => ({
  folded: (localStore.getItem(KEY) ?? '').split(',').filter((group) => group !== ''),
  hasRest: false,
  showRest: (hasRest) => set({ hasRest }),
  toggle: (group) => {
    const before = get().folded;
    const folded = before.includes(group) ? before.filter((other) => other !== group) : [...before, group];
    localStore.setItem(KEY, folded.join(','));
    set({ folded });
  },
}));
