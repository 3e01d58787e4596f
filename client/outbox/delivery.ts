/** Sends the outbox over the line: in order, within the server's limits, each item once per connection. */

import type { Message } from '../../protocol/events.ts';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import type { Cancel, Clock } from '../clock.ts';
import { reconnectDelayMs } from '../connection/backoff.ts';
import type { Frame } from '../connection/frames.ts';
import { answersFrame } from './answers.ts';
import type { Outbox } from './outbox.ts';
import { type MessageLimit, Pacer } from './pacer.ts';

export interface DeliveryOptions {
  /** The signed-in user's id. */
  readonly me: number;
  readonly outbox: Outbox;
  /** Writes to the connection, or returns false when it is not open. */
  readonly write: (frame: ClientFrameV2) => boolean;
  /** Whether messages to this room may be written: what was missed in it may contain them, and has arrived. */
  readonly isReady: (roomId: number) => boolean;
  readonly onWritten: (roomId: number, cids: ReadonlySet<string>) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #clock: Clock;
  /** The messages that were written on the current connection, without a response so far: the text of each cid. */
  readonly #written = new Map<string, string>();
  /** Outlives the connection: reconnecting does not refill the budgets. */
  #pacer: Pacer | null = null;
  /** The database that the line is connected to; null without a connection. */
  #epoch: string | null = null;
  /** Set while a temporary refusal pauses the delivery. */
  #cancelPause: Cancel | null = null;
  /** Pauses since the last ack. */
  #pauses = 0;
  #cancelTimer: Cancel = () => {};
  /** The next message can go only after a response. */
  #awaitsResponse = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Writes what is due, as far as the limits allow. Call it after each change of the outbox, and of `isReady`. */
  pump(): void {
    this.#cancelTimer();
    this.#awaitsResponse = false;
    if (this.#epoch === null || this.#pacer === null || this.#cancelPause !== null) return;
    const { outbox, isReady, onWritten } = this.#options;
    const rooms = new Set(outbox.due().map(({ roomId }) => roomId));
    const ready = new Set([...rooms].filter(isReady));
    for (const roomId of ready) outbox.bind(roomId, this.#epoch);
    const written = this.#writeDue(this.#pacer, ready);
    for (const [roomId, cids] of written) onWritten(roomId, cids);
  }

  /** The connection is open. */
  connected({ epoch, limits }: Frame<'hello'>): void {
    this.#epoch = epoch;
    this.#pace(limits);
    this.pump();
  }

  /** The connection is lost. Everything unconfirmed is written again on the next one, with the same cid. */
  disconnected(): void {
    this.#cancelTimer();
    this.#epoch = null;
    this.#cancelPause?.();
    this.#cancelPause = null;
    for (const cid of this.#written.keys()) this.#respondedTo(cid);
  }

  acked(ack: Frame<'ack'>): void {
    this.#pauses = 0;
    this.#stored(ack.cid, ack);
  }

  /** Messages that are in a room's history. The user's own among them have been stored. */
  found(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.user_id === this.#options.me && message.cid !== undefined)
        this.#stored(message.cid, message);
    }
  }

  /** The server refuses a message. An error without a `cid` is not about a message. */
  refused({ cid, code, retryable, retry_after_ms }: Frame<'error'>): void {
    if (cid === undefined || !this.#respondedTo(cid)) return;
    if (!retryable) {
      this.#options.outbox.refuse(cid, code);
      if (this.#awaitsResponse) this.pump();
      return;
    }
    if (this.#cancelPause !== null) return;
    // Later messages wait as well, so that the order is kept as far as possible.
    const pauseMs = retry_after_ms ?? reconnectDelayMs(this.#pauses, this.#options.random);
    this.#pauses += 1;
    this.#cancelPause = this.#clock.after(pauseMs, () => {
      this.#cancelPause = null;
      this.pump();
    });
  }

  /** Refuses everything: nothing can be delivered to this room any more. */
  refuseAll(roomId: number, code: string): void {
    const { outbox } = this.#options;
    for (const { cid, refusal } of outbox.itemsOf(roomId)) if (refusal === null) outbox.refuse(cid, code);
  }

  #writeDue(pacer: Pacer, ready: ReadonlySet<number>): ReadonlyMap<number, ReadonlySet<string>> {
    const { outbox, write } = this.#options;
    const written = new Map<number, Set<string>>();
    for (const item of outbox.due()) {
      const { cid, roomId, content } = item;
      if (this.#written.has(cid) || !ready.has(roomId)) continue;
      const waitMs = pacer.waitMs(content);
      if (waitMs > 0) {
        this.#awaitsResponse = !Number.isFinite(waitMs);
        if (!this.#awaitsResponse) this.#cancelTimer = this.#clock.after(waitMs, () => this.pump());
        break;
      }
      if (!write({ type: 'message', room_id: roomId, content, cid, ...answersFrame(item) })) break;
      pacer.sent(content);
      this.#written.set(cid, content);
      written.set(roomId, (written.get(roomId) ?? new Set()).add(cid));
    }
    return written;
  }

  #pace({ messages_per_second, message_burst }: MessageLimit): void {
    const limit = this.#pacer?.limit;
    const isSame =
      limit?.messages_per_second === messages_per_second && limit.message_burst === message_burst;
    if (!isSame) this.#pacer = new Pacer({ messages_per_second, message_burst }, this.#clock);
  }

  #stored(cid: string, receipt: { id: number; seq: number; created_at: string }): void {
    this.#respondedTo(cid);
    this.#options.outbox.stored(cid, receipt);
    if (this.#awaitsResponse) this.pump();
  }

  /** Returns whether the message was written on the current connection. */
  #respondedTo(cid: string): boolean {
    const content = this.#written.get(cid);
    if (content === undefined) return false;
    this.#pacer?.settled(content);
    return this.#written.delete(cid);
  }
}
