/** Read marks, gathered: scrolling through rooms marks them often, and one write for all of them is enough. */
import type { Bus } from '../../bus/bus.ts';
import type { ReadMarkChange, Store } from '../../storage/store.ts';

const WRITE_EVERY_MS = 2000;
/** Marks in one write. */
const WRITE_MAX = 200;

export class ReadMarks {
  readonly #store: Store;
  readonly #bus: Bus;
  readonly #headOf: (roomId: number) => number;
  /** By user and room, in the order of arrival. */
  #waiting = new Map<string, ReadMarkChange[]>();
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `headOf`: the number up to which this process has a room; infinite where it does not know. */
  constructor({ store, bus }: { store: Store; bus: Bus }, headOf: (roomId: number) => number) {
    this.#store = store;
    this.#bus = bus;
    this.#headOf = headOf;
  }

  add(mark: ReadMarkChange): void {
    const key = `${mark.userId} ${mark.roomId}`;
    const earlier = this.#waiting.get(key);
    if (!earlier) {
      this.#waiting.set(key, [mark]);
      return;
    }
    const last = earlier.at(-1);
    // A rising mark replaces the one before it. A lowered one is a decision, and keeps its place. One that is above the
    // room's head may be refused, and must not take others with it.
    const head = this.#headOf(mark.roomId);
    const areSure = last !== undefined && last.seq <= head && mark.seq <= head;
    if (areSure && !last.unread && !mark.unread && last.known === mark.known) {
      last.seq = Math.max(last.seq, mark.seq);
    } else if (last?.unread && mark.unread) {
      earlier[earlier.length - 1] = mark;
    } else earlier.push(mark);
  }

  /** `now`: monotonic milliseconds. */
  tick(now: number): void {
    if (this.#waiting.size === 0 || now - this.#writtenAt < WRITE_EVERY_MS) return;
    this.#writtenAt = now;
    void this.flush();
  }

  /** Writes the marks that are waiting. What cannot be written now waits on. */
  flush(): Promise<void> {
    const marks = [...this.#waiting.values()].flat().sort((a, b) => a.userId - b.userId);
    this.#waiting = new Map();
    this.#writing = this.#writing.then(() => this.#write(marks));
    return this.#writing;
  }

  async #write(marks: readonly ReadMarkChange[]): Promise<void> {
    for (let at = 0; at < marks.length; at += WRITE_MAX) {
      const some = marks.slice(at, at + WRITE_MAX);
      const changed = await this.#store.markRead(some).catch(() => {
        // The next write tries again: the client repeats its marks only on a new connection.
        for (const mark of some) this.add(mark);
        return [];
      });
      for (const { userId, userSeq } of changed) {
        this.#bus.publish({ type: 'user_log', userId, seq: userSeq });
      }
    }
  }
}
