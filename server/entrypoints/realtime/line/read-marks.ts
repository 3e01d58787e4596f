/** Gathers read marks: scrolling through rooms sets them often, and one write for all of them is enough. */
import type { Bus } from '../../../data/bus/bus.ts';
import type { ReadMarkChange, Store } from '../../../data/storage/store.ts';

const WRITE_EVERY_MS = 2000;
/** Marks in one write. */
const WRITE_MAX = 200;

export interface ReadMarksParts {
  store: Pick<Store, 'markRead'>;
  bus: Pick<Bus, 'publish'>;
}

export class ReadMarks {
  readonly #store: ReadMarksParts['store'];
  readonly #bus: ReadMarksParts['bus'];
  readonly #headOf: (roomId: number) => number;
  /** By user and room, in the order of arrival. */
  #waiting = new Map<string, ReadMarkChange[]>();
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `headOf`: the number up to which this process has a room; infinite where it does not know. */
  constructor({ store, bus }: ReadMarksParts, headOf: (roomId: number) => number) {
    this.#store = store;
    this.#bus = bus;
    this.#headOf = headOf;
  }

  add(mark: ReadMarkChange): void {
    const key = keyOf(mark);
    const earlier = this.#waiting.get(key);
    if (!earlier) this.#waiting.set(key, [mark]);
    else if (!this.#merge(earlier, mark)) earlier.push(mark);
  }

  /**
   * A mark replaces the one before it, if the two differ only in where they are: a rising one takes the higher place,
   * one that is set the later place. A mark above the room's head may be refused, and must not take others with it.
   */
  #merge(earlier: ReadMarkChange[], mark: ReadMarkChange): boolean {
    const last = earlier.at(-1);
    const head = this.#headOf(mark.roomId);
    if (last === undefined || last.seq > head || mark.seq > head) return false;
    if (last.unread !== mark.unread || last.known !== mark.known) return false;
    const seq = mark.unread ? mark.seq : Math.max(last.seq, mark.seq);
    earlier[earlier.length - 1] = { ...mark, seq };
    return true;
  }

  /** `now`: monotonic milliseconds. */
  tick(now: number): void {
    if (this.#waiting.size === 0 || now - this.#writtenAt < WRITE_EVERY_MS) return;
    this.#writtenAt = now;
    void this.flush();
  }

  /** Writes the marks that are waiting. What cannot be written now waits on. */
  flush(): Promise<void> {
    // An earlier write may still put its marks back, so this one takes what is waiting when its turn comes.
    this.#writing = this.#writing.then(() => {
      const marks = [...this.#waiting.values()].flat().sort((a, b) => a.userId - b.userId);
      this.#waiting = new Map();
      return this.#write(marks);
    });
    return this.#writing;
  }

  async #write(marks: readonly ReadMarkChange[]): Promise<void> {
    for (let at = 0; at < marks.length; at += WRITE_MAX) {
      try {
        const changed = await this.#store.markRead(marks.slice(at, at + WRITE_MAX));
        for (const { userId, userSeq } of changed) {
          this.#bus.publish({ type: 'user_log', userId, seq: userSeq });
        }
      } catch {
        return this.#putBack(marks.slice(at));
      }
    }
  }

  /** The next write tries again: the client repeats its marks only on a new connection. They are before later ones. */
  #putBack(marks: readonly ReadMarkChange[]): void {
    const later = this.#waiting;
    this.#waiting = new Map();
    for (const mark of marks) this.add(mark);
    for (const mark of [...later.values()].flat()) this.add(mark);
  }
}

function keyOf({ userId, roomId }: ReadMarkChange): string {
  return `${userId} ${roomId}`;
}
