/**
 * Checks what one connection receives, by the rules of chatroom.v2: hello first; then what was missed, in batches
 * without a gap; then sync or reset; then every message as it is sent. Every message and every ack must match what the
 * database has at that moment.
 */

import type { Message } from '../../protocol/events.ts';
import type { ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';
import { toMessage } from '../../server/messages/message.ts';
import type { MessageRow } from '../../server/storage/store.ts';

export interface WireWitnessOptions {
  roomId: number;
  /** The seq that it asked to resume after. */
  since: number | null;
  epoch: string | null;
  /** The process may know less of the room than the database has, because doorbells may be lost or late. */
  mayLag: boolean;
  userId: number;
  /** The durable messages of this epoch, by seq - 1. */
  history: (epoch: string) => readonly MessageRow[];
  violation: (text: string) => void;
}

export class WireWitness {
  readonly #options: WireWitnessOptions;
  #phase: 'new' | 'resuming' | 'resetting' | 'live' = 'new';
  #epoch = '';
  /** The seq of the message that must come next. */
  #next = 0;

  constructor(options: WireWitnessOptions) {
    this.#options = options;
  }

  /** The epoch that hello named. */
  get epoch(): string {
    return this.#epoch;
  }

  hear(frame: ServerFrameOneRoom): void {
    if ((this.#phase === 'new') !== (frame.type === 'hello'))
      return this.#wrong(frame, 'hello is the first frame');
    switch (frame.type) {
      case 'hello':
        return this.#hello(frame);
      case 'batch':
        if (this.#phase !== 'resuming') return this.#wrong(frame, 'this is not a resume');
        for (const message of frame.events) this.#message(message);
        return;
      case 'sync':
        if (this.#phase !== 'resuming' || frame.seq !== this.#next - 1)
          this.#wrong(frame, `after ${this.#next - 1}`);
        this.#phase = 'live';
        return;
      case 'reset':
        if (this.#phase !== 'resetting' || frame.seq !== this.#next - 1)
          this.#wrong(frame, 'there is no reason');
        this.#phase = 'live';
        return;
      case 'message':
        if (this.#phase !== 'live') return this.#wrong(frame, 'it is not live yet');
        return this.#message(frame);
      case 'ack':
        return this.#ack(frame);
    }
  }

  #hello(hello: Extract<ServerFrameOneRoom, { type: 'hello' }>): void {
    const { since, epoch, mayLag } = this.#options;
    this.#epoch = hello.epoch;
    // No page in a simulation is too far behind to resume.
    const isAhead = mayLag && since !== null && since > hello.seq;
    const canResume = since !== null && (since === 0 || epoch === hello.epoch) && !isAhead;
    if (hello.resumed !== canResume) this.#wrong(hello, `it asked for ${since} of ${epoch}`);
    this.#phase = canResume ? 'resuming' : since === null ? 'live' : 'resetting';
    this.#next = (canResume ? since : hello.seq) + 1;
  }

  #message(message: Message): void {
    if (message.seq !== this.#next) return this.#wrong(message, `${this.#next} comes next`);
    this.#next++;
    const row = this.#options.history(this.#epoch)[message.seq - 1];
    if (row === undefined) return this.#wrong(message, 'it is not durable');
    if (!isSame(message, toMessage(row))) this.#wrong(message, `history has ${JSON.stringify(row)}`);
  }

  #ack(ack: Extract<ServerFrameOneRoom, { type: 'ack' }>): void {
    const row = this.#options.history(this.#epoch)[ack.seq - 1];
    const isTrue = row?.id === ack.id && row.cid === ack.cid && row.userId === this.#options.userId;
    if (!isTrue) this.#wrong(ack, 'it is not durable');
  }

  #wrong(heard: object, why: string): void {
    this.#options.violation(`room ${this.#options.roomId} received ${JSON.stringify(heard)}, but ${why}`);
  }
}

function isSame(a: Message, b: Message): boolean {
  return (
    a.id === b.id &&
    a.user_id === b.user_id &&
    a.room_id === b.room_id &&
    a.username === b.username &&
    a.content === b.content &&
    a.created_at === b.created_at &&
    a.cid === b.cid
  );
}
