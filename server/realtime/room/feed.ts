/**
 * A room's durable events in order. The bus announces them, the log has them: the feed delivers each exactly once and
 * without a gap, and serves what sockets have missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageRow } from '../../storage/store.ts';
import { encodeMessage } from '../wire/shared-frames.ts';
import type { EncodedMessage } from '../wire/wire.ts';
import { type Batch, Missed } from './missed.ts';
import { Recent } from './recent.ts';
import type { RoomLog } from './room-log.ts';

/** Messages in one read after a gap. */
const CATCH_UP_PAGE = 200;
const CATCH_UP_RETRY_MS = 1000;
/** The pause before a message that was announced, but cannot be read yet, is read again. */
const CATCH_UP_PAUSE_MS = 50;

export class Feed {
  /** Sockets that are resuming; while there are any, more recent events are kept. */
  resuming = 0;
  readonly #log: RoomLog;
  readonly #deliver: (message: EncodedMessage) => void;
  readonly #recent = new Recent();
  readonly #missed: Missed;
  /** The seq of the last message delivered; -1 until the room's head has been read. */
  #head = -1;
  /** The highest seq that was announced. */
  #announced = 0;
  #catchingUp = false;

  /** `deliver` is called for each event in order. */
  constructor(log: RoomLog, deliver: (message: EncodedMessage) => void) {
    this.#log = log;
    this.#deliver = deliver;
    this.#missed = new Missed(log, this.#recent, () => this.#head);
  }

  /** The seq of the last event that was delivered. */
  get head(): number {
    return this.#head;
  }

  /** Events up to `head` are history for every socket that enters; announced ones after it are read and delivered. */
  startAt(head: number): void {
    this.#head = head;
    this.#recent.startAt(head);
    if (this.#announced > head) void this.#catchUp();
  }

  /** The bus announced a message. The next one in order is delivered; after a gap the missing ones are read first. */
  announce(message: MessageRow): void {
    this.#announced = Math.max(this.#announced, message.seq);
    if (this.#head < 0 || this.#catchingUp) return;
    if (message.seq === this.#head + 1) this.#push(message);
    else if (message.seq > this.#head) void this.#catchUp();
  }

  /** The next batch of events after `seq`; null while there is none to be read. Every batch needs one `release`. */
  hold(seq: number): Promise<Batch | null> {
    return this.#missed.hold(seq);
  }

  release(batch: Batch): void {
    this.#missed.release(batch);
  }

  #push(row: MessageRow): void {
    const message = encodeMessage(row);
    this.#head = row.seq;
    this.#recent.push({ seq: row.seq, json: message.json }, this.resuming > 0);
    this.#deliver(message);
  }

  async #catchUp(): Promise<void> {
    this.#catchingUp = true;
    while (this.#announced > this.#head) {
      try {
        const messages = await this.#log.after({ seq: this.#head, limit: CATCH_UP_PAGE });
        for (const message of messages) this.#push(message);
        if (messages.length === 0) await sleep(CATCH_UP_PAUSE_MS);
      } catch {
        await sleep(CATCH_UP_RETRY_MS);
      }
    }
    this.#catchingUp = false;
  }
}
