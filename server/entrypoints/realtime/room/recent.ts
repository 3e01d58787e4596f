/**
 * A room's last events, kept in memory so that clients that reconnect soon need no database read. Of a message that has
 * changed only the latest state is kept: a text that was deleted is not sent again.
 */

interface Limits {
  events: number;
  characters: number;
}

const LIMITS: Limits = { events: 256, characters: 32 * 1024 };
/** While a socket resumes: it must be able to catch up with a busy room. */
const LIMITS_WHILE_RESUMING: Limits = { events: 4096, characters: 1024 * 1024 };

export interface RecentEvent {
  /** The number of the message's latest change. */
  seq: number;
  /** The message's id. */
  id: number;
  json: string;
}

export class Recent {
  readonly #kept: RecentEvent[] = [];
  /** All events after this seq are kept. */
  #floor = 0;
  #characters = 0;

  /** `head`: the seq of the last event before the first one that will be pushed. */
  startAt(head: number): void {
    this.#floor = head;
  }

  /** `isChange`: it changes an older message; drop that message's earlier state. */
  push(event: RecentEvent, { isChange = false, isResuming = false } = {}): void {
    if (isChange) this.#forget(event.id);
    this.#kept.push(event);
    this.#characters += event.json.length;
    const { events, characters } = isResuming ? LIMITS_WHILE_RESUMING : LIMITS;
    while (this.#kept.length > events || this.#characters > characters) {
      const forgotten = this.#kept.shift();
      if (!forgotten) return;
      this.#floor = forgotten.seq;
      this.#characters -= forgotten.json.length;
    }
  }

  #forget(id: number): void {
    const index = this.#kept.findLastIndex((event) => event.id === id);
    const [superseded] = index < 0 ? [] : this.#kept.splice(index, 1);
    this.#characters -= superseded?.json.length ?? 0;
  }

  /** The events after `seq`, or null when some of them are no longer kept. */
  after(seq: number): RecentEvent[] | null {
    if (seq < this.#floor) return null;
    return this.#kept.slice(this.#kept.findLastIndex((event) => event.seq <= seq) + 1);
  }
}
