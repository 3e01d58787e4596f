/**
 * The events that the listeners of one room must get, given what its connections received: from the first `opened` on,
 * each message once and in order; every reset; and after a reset, everything that follows it.
 */
import type { Message } from '../../protocol/events.ts';
import type { RoomLog } from './room-log.ts';
import type { RoomFrame } from './room-witness.ts';

export interface ToldOptions {
  /** Whether the database of this epoch has it. */
  isStored: (message: Message, epoch: string) => boolean;
  /** The log of the room in the database of this epoch. */
  log: (epoch: string) => RoomLog;
  wrong: (text: string) => void;
}

export class Told {
  readonly #options: ToldOptions;
  /** Null before the first `opened`. */
  #next: { epoch: string; seq: number } | null = null;
  #mustReset = false;
  /** The position was moved without leaving a message out: only the client knows whether it had that position. */
  #mayReset = false;

  constructor(options: ToldOptions) {
    this.#options = options;
  }

  /** A connection received this frame; the room gets it a moment later. */
  hears(frame: RoomFrame, epoch: string): void {
    if (frame.type === 'opened') {
      const { seq, resumed } = frame;
      const before = this.#next;
      if (before === null) this.#next = { epoch, seq: seq + 1 };
      else if (before.epoch !== epoch || !resumed) this.#leap(epoch, seq + 1);
    }
    if (frame.type === 'reset') this.#leap(epoch, frame.seq + 1);
  }

  message(message: Message): void {
    const { isStored, log, wrong } = this.#options;
    const next = this.#next;
    if (next === null) return wrong(`listeners got ${message.seq} before the room was open`);
    if (this.#mustReset) wrong(`listeners got ${message.seq} and no reset before it`);
    if (message.seq < next.seq || log(next.epoch).hasRowBetween(next.seq - 1, message.seq))
      wrong(`listeners got ${message.seq} in place of ${next.seq}`);
    if (!isStored(message, next.epoch))
      wrong(`listeners got ${JSON.stringify(message)}, which is not stored`);
    this.#next = { ...next, seq: message.seq + 1 };
  }

  reset(): void {
    if (!this.#mustReset && !this.#mayReset) this.#options.wrong('listeners got a reset, and there was none');
    this.#mustReset = false;
    this.#mayReset = false;
  }

  /** Everything has been delivered. */
  checkEnd(log: RoomLog): void {
    const { wrong } = this.#options;
    if (this.#mustReset) wrong('listeners got no reset');
    if (this.#next !== null && log.hasRowBetween(this.#next.seq - 1, log.head + 1))
      wrong(`listeners wait for ${this.#next.seq}, and ${log.head} was the last`);
  }

  #leap(epoch: string, seq: number): void {
    const before = this.#next;
    this.#next = { epoch, seq };
    const isSame = before?.epoch === epoch && seq >= before.seq;
    const leavesOut = !isSame || this.#options.log(epoch).hasRowBetween(before.seq - 1, seq);
    if (leavesOut) this.#mustReset = true;
    else this.#mayReset = true;
  }
}
