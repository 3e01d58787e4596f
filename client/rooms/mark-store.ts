/** Keeps read marks that the server has not confirmed: they outlive the page, and all tabs share them. */
import { isNatural, isText, listOf, some } from '../api/checks.ts';
import type { KeyValueStorage } from '../session/storage.ts';
import type { HeldMark } from './held-mark.ts';

/** Marks, and the database that their numbers belong to. */
interface StoredMarks {
  readonly epoch: string;
  readonly marks: readonly HeldMark[];
}

const areMarks = listOf(some<HeldMark>({ room_id: isNatural, seq: isNatural, known: isNatural }));
const isStored = some<StoredMarks>({ epoch: isText, marks: areMarks });

export class MarkStore {
  readonly #storage: KeyValueStorage;
  readonly #key: string;

  constructor(storage: KeyValueStorage, userId: number) {
    this.#storage = storage;
    this.#key = `chat_marks:${userId}`;
  }

  /** The marks of this database. Anything but marks is ignored. */
  load(epoch: string): readonly HeldMark[] {
    const stored = this.#read();
    return stored?.epoch === epoch ? stored.marks : [];
  }

  /**
   * Stores what has changed between two states. Marks of other rooms, which another tab may have made, stay, unless
   * they are of another database.
   */
  update(epoch: string, before: ReadonlyMap<number, HeldMark>, after: ReadonlyMap<number, HeldMark>): void {
    if (before === after) return;
    const marks = new Map(this.load(epoch).map((mark) => [mark.room_id, mark]));
    for (const roomId of before.keys()) if (!after.has(roomId)) marks.delete(roomId);
    for (const [roomId, mark] of after) if (before.get(roomId) !== mark) marks.set(roomId, mark);
    try {
      if (marks.size === 0) this.#storage.removeItem(this.#key);
      else
        this.#storage.setItem(
          this.#key,
          JSON.stringify({ epoch, marks: [...marks.values()] } satisfies StoredMarks),
        );
    } catch {
      // The device is full. The marks live as long as the page.
    }
  }

  clear(): void {
    this.#storage.removeItem(this.#key);
  }

  #read(): StoredMarks | null {
    try {
      const value: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? 'null');
      return isStored(value) ? value : null;
    } catch {
      return null;
    }
  }
}
