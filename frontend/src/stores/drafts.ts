/** Which rooms have a draft. The texts themselves are kept on the device. */
import { create } from 'zustand';
import { draftKey, storedKeys } from './device.ts';

interface DraftsStore {
  readonly roomIds: ReadonlySet<number>;
  /** Reads what this device keeps for a user, and what other tabs change. Returns the function that ends that. */
  sync(userId: number): () => void;
}

export const useDrafts = create<DraftsStore>((set) => ({
  roomIds: new Set<number>(),
  sync: (userId) => {
    const prefix = draftKey(userId, '');
    // Memory storage has no keys to list, and holds nothing from an earlier page.
    const keys = storedKeys().filter((key) => key.startsWith(prefix));
    set({ roomIds: new Set(keys.map((key) => Number(key.slice(prefix.length)))) });
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key?.startsWith(prefix)) markDraft(Number(key.slice(prefix.length)), newValue !== null);
    };
    window.addEventListener('storage', onStorage);
    return () => {
      window.removeEventListener('storage', onStorage);
      set({ roomIds: new Set() });
    };
  },
}));

/** The room has a draft now, or none. */
export function markDraft(roomId: number, isDraft: boolean): void {
  const { roomIds } = useDrafts.getState();
  if (roomIds.has(roomId) === isDraft) return;
  const next = new Set(roomIds);
  if (isDraft) next.add(roomId);
  else next.delete(roomId);
  useDrafts.setState({ roomIds: next });
}
