/** The log of a room as the database has it: every message in its present state, and the states that it ever had. */
import type { MessageRow } from '../../server/data/storage/store.ts';

export class RoomLog {
  /** The database has changed since the last look. */
  isStale = true;
  readonly #read: (after: number) => MessageRow[];
  readonly #bySeq = new Map<number, MessageRow>();
  readonly #states = new Map<number, MessageRow>();
  #rows: readonly MessageRow[] = [];
  #head = 0;

  /** `read` returns the rows whose latest change is after this number. */
  constructor(read: (after: number) => MessageRow[]) {
    this.#read = read;
  }

  /** The messages in their present state, by seq. */
  get rows(): readonly MessageRow[] {
    this.#refresh();
    return this.#rows;
  }

  /** The number of the last event. */
  get head(): number {
    this.#refresh();
    return this.#head;
  }

  /** The message with this seq. */
  row(seq: number): MessageRow | undefined {
    this.#refresh();
    return this.#bySeq.get(seq);
  }

  /** The event with this number: a message as it was then. */
  state(place: number): MessageRow | undefined {
    this.#refresh();
    return this.#states.get(place);
  }

  /** Whether a message has its place after `from` and before `to`. */
  hasBetween(from: number, to: number): boolean {
    for (let place = from + 1; place < to; place++) if (this.isPresent(place)) return true;
    return false;
  }

  /** Whether there is a message with a seq after `from` and before `to`. */
  hasRowBetween(from: number, to: number): boolean {
    for (let seq = from + 1; seq < to; seq++) if (this.row(seq) !== undefined) return true;
    return false;
  }

  /** Whether the event with this number is still the latest of its message. */
  isPresent(place: number): boolean {
    const state = this.state(place);
    return state !== undefined && this.#bySeq.get(state.seq)?.changedSeq === place;
  }

  /** Remembers the states of now. */
  look(): void {
    this.#refresh();
  }

  wasOnce(row: MessageRow): void {
    this.#states.set(row.changedSeq, row);
  }

  #refresh(): void {
    if (!this.isStale) return;
    this.isStale = false;
    const changed = this.#read(this.#head);
    for (const row of changed) {
      this.#bySeq.set(row.seq, row);
      this.#states.set(row.changedSeq, row);
    }
    this.#head = changed.at(-1)?.changedSeq ?? this.#head;
    if (changed.length > 0) this.#rows = [...this.#bySeq.values()].sort((a, b) => a.seq - b.seq);
  }
}
