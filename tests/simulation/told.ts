/**
 * The events that the listeners of one room must get, given what its connections received: from the first hello on,
 * each message once and in order; every reset; and after a reset, everything that follows it.
 */

import type { Message } from '../../protocol/events.ts';
import type { ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';

export interface ToldOptions {
  /** Whether the database of this epoch has it. */
  isStored: (message: Message, epoch: string) => boolean;
  wrong: (text: string) => void;
}

export class Told {
  readonly #options: ToldOptions;
  /** Null before the first hello. */
  #next: { epoch: string; seq: number } | null = null;
  #mustReset = false;

  constructor(options: ToldOptions) {
    this.#options = options;
  }

  /** A connection received this frame; the room gets it a moment later. */
  hears(frame: ServerFrameOneRoom): void {
    if (frame.type === 'hello') {
      const { epoch, seq, resumed } = frame;
      const before = this.#next;
      if (before === null) this.#next = { epoch, seq: seq + 1 };
      else if (before.epoch !== epoch) this.#leap(epoch, resumed ? before.seq : seq + 1);
    }
    if (frame.type === 'reset') this.#leap(frame.epoch, frame.seq + 1);
  }

  message(message: Message): void {
    const { isStored, wrong } = this.#options;
    const next = this.#next;
    if (next === null) return wrong(`listeners got ${message.seq} before any hello`);
    if (this.#mustReset) wrong(`listeners got ${message.seq} and no reset before it`);
    if (message.seq !== next.seq) wrong(`listeners got ${message.seq} in place of ${next.seq}`);
    if (!isStored(message, next.epoch))
      wrong(`listeners got ${JSON.stringify(message)}, which is not stored`);
    this.#next = { ...next, seq: message.seq + 1 };
  }

  reset(): void {
    if (!this.#mustReset) this.#options.wrong('listeners got a reset, and there was none');
    this.#mustReset = false;
  }

  /** Everything has been delivered. */
  checkEnd(head: number): void {
    const { wrong } = this.#options;
    if (this.#mustReset) wrong('listeners got no reset');
    if (this.#next?.seq !== head + 1)
      wrong(`listeners wait for ${this.#next?.seq}, and ${head} was the last`);
  }

  #leap(epoch: string, seq: number): void {
    if (this.#next?.epoch === epoch && this.#next.seq === seq) return;
    this.#next = { epoch, seq };
    this.#mustReset = true;
  }
}
