/** Sends one room's outbox: in order, within the server's limits, each item once per connection. */

import type { Message } from '../../protocol/events.ts';
import type { ClientFrameOneRoom } from '../../protocol/frames/one-room.ts';
import type { Cancel, Clock } from '../clock.ts';
import { reconnectDelayMs } from '../connection/backoff.ts';
import type { Frame } from '../connection/frames.ts';
import type { RoomFrame } from '../connection/socket.ts';
import type { Outbox } from './outbox.ts';
import { type MessageLimit, Pacer } from './pacer.ts';

export interface DeliveryOptions {
  readonly roomId: number;
  /** The signed-in user's id. */
  readonly me: number;
  readonly outbox: Outbox;
  /** Writes to the connection, or returns false when it is not open. */
  readonly write: (frame: ClientFrameOneRoom) => boolean;
  readonly onWritten: (cids: ReadonlySet<string>) => void;
  readonly clock: Clock;
  readonly random: () => number;
}

export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #clock: Clock;
  /** Cids that were written on the current connection, without a response so far. */
  readonly #written = new Set<string>();
  /** Outlives the connection: reconnecting does not refill the budgets. */
  #pacer: Pacer | null = null;
  /** The database that the room is connected to; null without a connection. */
  #epoch: string | null = null;
  /** Whether messages may be written: what was missed has arrived. */
  #isReady = false;
  /** Set while a temporary refusal pauses the delivery. */
  #cancelPause: Cancel | null = null;
  /** Pauses since the last ack. */
  #pauses = 0;
  #cancelTimer: Cancel = () => {};

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#clock = options.clock;
  }

  /** Writes what is due, as far as the limits allow. Call it after each change of the outbox. */
  pump(): void {
    this.#cancelTimer();
    if (!this.#isReady || this.#epoch === null || this.#pacer === null || this.#cancelPause !== null) return;
    this.#options.outbox.bind(this.#options.roomId, this.#epoch);
    const written = this.#writeDue(this.#pacer);
    if (written.size > 0) this.#options.onWritten(written);
  }

  /** The connection is lost. Everything unconfirmed is written again on the next one, with the same cid. */
  disconnected(): void {
    this.#cancelTimer();
    this.#isReady = false;
    this.#epoch = null;
    this.#cancelPause?.();
    this.#cancelPause = null;
    this.#written.clear();
  }

  /** Call it for every frame of the room, after the room's state has been updated. */
  heard(frame: RoomFrame): void {
    switch (frame.type) {
      case 'hello':
        this.#epoch = frame.epoch;
        this.#pace(frame.limits);
        if (!frame.resumed) this.#begin();
        return;
      case 'sync':
        // The batches before it may contain our own messages, which need no second sending.
        this.#begin();
        return;
      case 'ack':
        this.#pauses = 0;
        this.#stored(frame.cid, frame);
        return;
      case 'message':
        this.found([frame]);
        return;
      case 'batch':
        this.found(frame.events);
        return;
      case 'error':
        this.#refused(frame);
        return;
      default:
        return;
    }
  }

  /** Messages that are in the room's history. The user's own among them have been stored. */
  found(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.user_id === this.#options.me && message.cid !== undefined)
        this.#stored(message.cid, message);
    }
  }

  /** Whether every item of the room has been stored or refused. */
  get isDone(): boolean {
    const { outbox, roomId } = this.#options;
    return outbox.itemsOf(roomId).every((item) => item.refusal !== null);
  }

  /** Refuses everything: nothing can be delivered to this room any more. */
  refuseAll(code: string): void {
    const { outbox, roomId } = this.#options;
    for (const { cid, refusal } of outbox.itemsOf(roomId)) if (refusal === null) outbox.refuse(cid, code);
  }

  #writeDue(pacer: Pacer): ReadonlySet<string> {
    const { outbox, roomId, write } = this.#options;
    const written = new Set<string>();
    for (const { cid, content } of outbox.due(roomId)) {
      if (this.#written.has(cid)) continue;
      const waitMs = pacer.waitMs(content);
      if (waitMs > 0) {
        this.#cancelTimer = this.#clock.after(waitMs, () => this.pump());
        break;
      }
      if (!write({ type: 'message', content, cid })) break;
      pacer.take(content);
      this.#written.add(cid);
      written.add(cid);
    }
    return written;
  }

  #begin(): void {
    this.#isReady = true;
    this.pump();
  }

  #pace({ messages_per_second, message_burst }: MessageLimit): void {
    const limit = this.#pacer?.limit;
    const isSame =
      limit?.messages_per_second === messages_per_second && limit.message_burst === message_burst;
    if (!isSame) this.#pacer = new Pacer({ messages_per_second, message_burst }, this.#clock);
  }

  #stored(cid: string, receipt: { id: number; seq: number; created_at: string }): void {
    this.#written.delete(cid);
    this.#options.outbox.stored(cid, receipt);
  }

  #refused({ cid, code, retryable, retry_after_ms }: Frame<'error'>): void {
    if (cid === undefined || !this.#written.delete(cid)) return;
    if (!retryable) {
      this.#options.outbox.refuse(cid, code);
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
}
