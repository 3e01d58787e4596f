/**
 * What happens while rooms are being read, for those that get heads afterwards. It is kept as long as a read is under
 * way that began before it, so it is bounded by what happens during the slowest read, however the reads overlap.
 */
import type { MessageRow } from '../../../../data/storage/store.ts';

/** With the number of the first read that begins after it. */
interface Kept<T> {
  value: T;
  before: number;
}

export interface RoomEvent {
  /** Its number in the room's log. */
  seq: number;
  /** Undefined where only the number was announced. */
  message?: MessageRow | undefined;
}

export class Meantime {
  /** The reads under way by their numbers, the oldest first. */
  readonly #reads = new Set<number>();
  #nextRead = 1;
  /** The latest event of each room. */
  readonly #latest = new Map<number, Kept<RoomEvent>>();
  /** The numbers at which users lost rooms, by room and user. */
  readonly #losses = new Map<string, Kept<number>>();

  /** Something is being read. */
  get isOpen(): boolean {
    return this.#reads.size > 0;
  }

  /** Events and losses that are kept. */
  get size(): number {
    return this.#latest.size + this.#losses.size;
  }

  /** What happens during `read` is kept until its caller has used it: in the microtasks after it. */
  async during<T>(read: () => Promise<T>): Promise<T> {
    const number = this.#nextRead++;
    this.#reads.add(number);
    try {
      return await read();
    } finally {
      setImmediate(() => this.#end(number));
    }
  }

  /**
   * Between processes the number may come before or after a row of the room, and rows of two processes in any order.
   */
  noteEvent(roomId: number, event: RoomEvent): void {
    const latest = this.latestIn(roomId);
    const isNewer = !latest || event.seq > latest.seq || (event.seq === latest.seq && event.message);
    if (isNewer) this.#keep(this.#latest, roomId, event);
  }

  noteLoss(roomId: number, userId: number, seq: number): void {
    this.#keep(this.#losses, `${roomId} ${userId}`, seq);
  }

  latestIn(roomId: number): RoomEvent | undefined {
    return this.#latest.get(roomId)?.value;
  }

  /** The number at which the user lost the room; 0: they did not. */
  lostAt(roomId: number, userId: number): number {
    return this.#losses.get(`${roomId} ${userId}`)?.value ?? 0;
  }

  /** Both maps are in the order of the events. */
  #keep<K, T>(kept: Map<K, Kept<T>>, key: K, value: T): void {
    kept.delete(key);
    kept.set(key, { value, before: this.#nextRead });
  }

  #end(number: number): void {
    this.#reads.delete(number);
    const [oldest = this.#nextRead] = this.#reads;
    forget(this.#latest, oldest);
    forget(this.#losses, oldest);
  }
}

/** Forgets what happened before the oldest read under way began. */
function forget<K, T>(kept: Map<K, Kept<T>>, oldest: number): void {
  for (const [key, { before }] of kept) {
    if (before > oldest) return;
    kept.delete(key);
  }
}
