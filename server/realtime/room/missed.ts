/** What sockets have missed of a room, as `batch` frames: small ones, each read once for all who ask for it at a time. */
import { BATCH_MAX_EVENTS } from '../../../protocol/limits.ts';
import { toMessage } from '../../messages/messages.ts';
import type { Store } from '../../storage/store.ts';

/** A batch is cut at about so much text, so that none is larger than what a slow socket may owe. */
const BATCH_MAX_BYTES = 64 * 1024;

export interface Batch {
  readonly frame: string;
  /** The seq that it reaches to. */
  readonly last: number;
}

export class Missed {
  readonly #roomId: number;
  readonly #store: Store;
  readonly #reading = new Map<number, Promise<Batch | null>>();

  constructor(roomId: number, store: Store) {
    this.#roomId = roomId;
    this.#store = store;
  }

  /** The next batch after `seq` from the log, none of it beyond `head()`; null when nothing is to be had yet. */
  after(seq: number, head: () => number): Promise<Batch | null> {
    let reading = this.#reading.get(seq);
    if (!reading) {
      reading = this.#read(seq, head).finally(() => this.#reading.delete(seq));
      this.#reading.set(seq, reading);
    }
    return reading;
  }

  async #read(seq: number, head: () => number): Promise<Batch | null> {
    // Up to the same boundaries for all: a crowd that comes back from different places soon reads together.
    const limit = BATCH_MAX_EVENTS - (seq % BATCH_MAX_EVENTS);
    const read = { roomId: this.#roomId, seq, limit, maxBytes: BATCH_MAX_BYTES };
    const rows = await this.#store.messagesAfter(read);
    // What the room has not been told of yet will be told when the socket is live.
    const missed = rows.filter((row) => row.seq <= head());
    const last = missed.at(-1);
    if (!last) return null;
    return { frame: toFrame(missed.map((row) => JSON.stringify(toMessage(row)))), last: last.seq };
  }
}

/** The first of the events that follow on `seq` and that are at hand; null when there are none. */
export function firstBatch(events: readonly string[], seq: number): Batch | null {
  let characters = 0;
  const tooMany = events.findIndex((event, index) => {
    characters += event.length;
    return index > 0 && (index >= BATCH_MAX_EVENTS || characters > BATCH_MAX_BYTES);
  });
  const count = tooMany < 0 ? events.length : tooMany;
  return count === 0 ? null : { frame: toFrame(events.slice(0, count)), last: seq + count };
}

function toFrame(events: string[]): string {
  return `{"type":"batch","events":[${events.join(',')}]}`;
}
