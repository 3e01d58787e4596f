/**
 * The end of the turn of the event loop, for the whole process. A room with something to say registers, and at the end
 * of the turn each socket is written once, whatever number of rooms had something for it.
 *
 * In most turns one room speaks: it writes to its sockets itself. Otherwise each room puts its pieces on the sockets,
 * and the outlet writes those that were touched. Frames that belong to no room go before those of the rooms.
 */

import { measures } from '../../../platform/metrics/measures.ts';
import type { Piece, SocketWriter } from './socket-writer.ts';
import type { SharedTurn } from './turn.ts';

/** A room's fan-out. */
export interface Speaker {
  /** Hands over what is queued: to `shared`, or to the sockets at once where it is null. */
  speak(shared: SharedTurn | null): void;
}

export class Outlet implements SharedTurn {
  #speakers: Speaker[] = [];
  #touched = new Set<SocketWriter>();
  #isScheduled = false;
  #isFlushing = false;

  /** The speaker has something for the end of this turn. It registers once a turn. */
  register(speaker: Speaker): void {
    this.#speakers.push(speaker);
    this.#schedule();
  }

  /** Queues a frame that belongs to no room. */
  send(writer: SocketWriter, json: string): void {
    this.put(writer, [json]);
    this.#schedule();
  }

  /** The same with a whole text frame, whose bytes several sockets may share. */
  sendFramed(writer: SocketWriter, bytes: Buffer): void {
    this.put(writer, [bytes]);
    this.#schedule();
  }

  put(writer: SocketWriter, pieces: readonly Piece[]): void {
    if (pieces.length === 0) return;
    writer.put(pieces);
    this.#touched.add(writer);
  }

  /** Ends the turn now: everything that is queued is written. */
  flush(): void {
    // A socket that overflows is closed in the middle of a turn, which goes on.
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    this.#isScheduled = false;
    const begun = performance.now();
    try {
      this.#speak();
      this.#writeTouched();
    } finally {
      measures.fanOut.observe((performance.now() - begun) / 1000);
      this.#isFlushing = false;
    }
  }

  #speak(): void {
    const speakers = this.#speakers;
    this.#speakers = [];
    const [first] = speakers;
    if (speakers.length === 1 && first) first.speak(null);
    else for (const speaker of speakers) speaker.speak(this);
  }

  #writeTouched(): void {
    const touched = this.#touched;
    if (touched.size === 0) return;
    this.#touched = new Set();
    for (const writer of touched) writer.flush();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.flush());
  }
}
