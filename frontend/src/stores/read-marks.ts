/** How far the user has read in each room, by seq. Kept on this device and shared by its tabs. */
import { create } from 'zustand';
import { localStore, readMarksKey } from './device.ts';

interface ReadMarksStore {
  /** By room id. A room without an entry was never opened here. */
  readonly marks: Readonly<Record<number, number>>;
  /** Reads what this device keeps for a user, and follows the other tabs. Returns the function that ends that. */
  follow(userId: number): () => void;
  /** Read messages stay read: a lower seq changes nothing. */
  markRead(roomId: number, seq: number): void;
}

/** The shortest time between two writes in a busy room: each write wakes the other tabs. */
const STORE_EVERY_MS = 500;

export const useReadMarks = create<ReadMarksStore>((set, get) => {
  let key: string | null = null;
  let isStored = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function store(): void {
    clearTimeout(timer);
    timer = undefined;
    if (key === null || isStored) return;
    isStored = true;
    // Another tab may have written meanwhile.
    const marks = higher(get().marks, parse(localStore.getItem(key)));
    set({ marks });
    localStore.setItem(key, JSON.stringify(marks));
    timer = setTimeout(store, STORE_EVERY_MS);
  }

  return {
    marks: {},
    follow: (userId) => {
      key = readMarksKey(userId);
      set({ marks: parse(localStore.getItem(key)) });
      const onStorage = (event: StorageEvent) => {
        if (event.key === key) set({ marks: higher(get().marks, parse(event.newValue)) });
      };
      window.addEventListener('storage', onStorage);
      window.addEventListener('pagehide', store);
      return () => {
        window.removeEventListener('storage', onStorage);
        window.removeEventListener('pagehide', store);
        clearTimeout(timer);
        timer = undefined;
        isStored = true;
        key = null;
        set({ marks: {} });
      };
    },
    markRead: (roomId, seq) => {
      const { marks } = get();
      if (key === null || seq <= (marks[roomId] ?? -1)) return;
      set({ marks: { ...marks, [roomId]: seq } });
      isStored = false;
      if (timer === undefined) store();
    },
  };
});

function higher(a: Readonly<Record<number, number>>, b: Readonly<Record<number, number>>) {
  const result: Record<number, number> = { ...a };
  for (const [roomId, seq] of Object.entries(b)) {
    result[Number(roomId)] = Math.max(seq, result[Number(roomId)] ?? 0);
  }
  return result;
}

/** Anything but room ids and seqs is ignored. */
function parse(text: string | null): Record<number, number> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter(([roomId, seq]) => /^\d+$/.test(roomId) && Number.isSafeInteger(seq)),
    );
  } catch {
    return {};
  }
}
