/**
 * What the listeners of one room must be told, by what its connections have brought: from the first hello on, each
 * message once and in order; after a reset, all that follows on it; and every reset itself.
 */

import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';

export interface ToldOptions {
  /** Whether that life of the database holds it. */
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

  /** One of its connections brings this, a moment before the room hears it. */
  hears(frame: ServerFrameV2): void {
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
    if (next === null) return wrong(`listeners were told of ${message.seq} before anything`);
    if (this.#mustReset) wrong(`listeners were told of ${message.seq}, and of no reset before`);
    if (message.seq !== next.seq) wrong(`listeners were told of ${message.seq} in place of ${next.seq}`);
    if (!isStored(message, next.epoch)) wrong(`listeners were told of ${JSON.stringify(message)}`);
    this.#next = { ...next, seq: message.seq + 1 };
  }

  reset(): void {
    if (!this.#mustReset) this.#options.wrong('listeners were told of a reset, and there was none');
    this.#mustReset = false;
  }

  /** Everybody has heard everything. */
  judgeEnd(head: number): void {
    const { wrong } = this.#options;
    if (this.#mustReset) wrong('listeners were not told of a reset');
    if (this.#next?.seq !== head + 1)
      wrong(`listeners wait for ${this.#next?.seq}, and ${head} was the last`);
  }

  #leap(epoch: string, seq: number): void {
    if (this.#next?.epoch === epoch && this.#next.seq === seq) return;
    this.#next = { epoch, seq };
    this.#mustReset = true;
  }
}
