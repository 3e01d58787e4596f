/** Keeps read marks that the server has not confirmed: they outlive the page, and all tabs share them. */
import { isNatural, listOf, some } from '../api/checks.ts';
import type { KeyValueStorage } from '../session/storage.ts';
import type { HeldMark } from './held-mark.ts';

const areMarks = listOf(some<HeldMark>({ room_id: isNatural, seq: isNatural, known: isNatural }));

export class MarkStore {
  readonly #storage: KeyValueStorage;
  readonly #key: string;

  constructor(storage: KeyValueStorage, userId: number) {
    this.#storage = storage;
    this.#key = `chat_marks:${userId}`;
  }

  /** Anything but marks is ignored. */
  load(): readonly HeldMark[] {
    try {
      const value: unknown = JSON.parse(this.#storage.getItem(this.#key) ?? '[]');
      return areMarks(value) ? value : [];
    } catch {
      return [];
    }
  }

  /** Stores what has changed between two states. Marks of other rooms, which another tab may have made, stay. */
  update(before: ReadonlyMap<number, HeldMark>, after: ReadonlyMap<number, HeldMark>): void {
    if (before === after) return;
    const marks = new Map(this.load().map((mark) => [mark.room_id, mark]));
    for (const roomId of before.keys()) if (!after.has(roomId)) marks.delete(roomId);
    for (const [roomId, mark] of after) if (before.get(roomId) !== mark) marks.set(roomId, mark);
    try {
      if (marks.size === 0) this.#storage.removeItem(this.#key);
      else this.#storage.setItem(this.#key, JSON.stringify([...marks.values()]));
    } catch {
      // The device is full. The marks live as long as the page.
    }
  }

  clear(): void {
    this.#storage.removeItem(this.#key);
  }
}
