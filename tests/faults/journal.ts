/** What the clients of a run did and saw. The checker believes nothing else but this and the history. */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/events.ts';

/** One message as its sender remembers it. `content` is unique in the run: it is how the message is known again. */
export interface Sent {
  roomId: number;
  userId: number;
  cid: string;
  content: string;
}

/** One acknowledgement as its sender got it. */
export interface Acked {
  roomId: number;
  userId: number;
  cid: string;
  id: number;
  seq: number;
  createdAt: string;
  /** The server knew the cid: an earlier ack was lost on the way, or never sent. */
  isRepeat: boolean;
  /** When it arrived, in milliseconds since 1970, as exact as the machine can tell. */
  at: number;
}

/** What one listener heard of its room, in order, over all its sockets. */
export interface Hearing {
  roomId: number;
  userId: number;
  /** Nothing up to this seq was asked for. */
  since: number;
  messages: Message[];
  /** The listener waited for the end: the history has nothing that it has not heard. */
  isComplete: boolean;
}

export class Journal {
  readonly sent: Sent[] = [];
  readonly acked: Acked[] = [];
  readonly hearings: Hearing[] = [];
  /** Cids that were refused as retryable at least once: they may be stored behind what was sent later. */
  readonly refused = new Set<string>();
  /** What the protocol does not allow, seen by a client: one line each. */
  readonly violations: string[] = [];
  /** The first copy of each message that was heard, by id. */
  readonly #known = new Map<number, Message>();
  #heard = 0;

  /** How many events all listeners have heard, each counted as often as it was heard. */
  get heard(): number {
    return this.#heard;
  }

  /** Starts the record of one listener. */
  listen(roomId: number, userId: number, since = 0): Hearing {
    const hearing: Hearing = { roomId, userId, since, messages: [], isComplete: false };
    this.hearings.push(hearing);
    return hearing;
  }

  /** Writes down what a listener heard; copies that are alike are kept once, as a run hears millions. */
  hear(hearing: Hearing, message: Message): void {
    const known = this.#known.get(message.id);
    if (known === undefined) this.#known.set(message.id, message);
    hearing.messages.push(known !== undefined && isDeepStrictEqual(known, message) ? known : message);
    this.#heard++;
  }
}
