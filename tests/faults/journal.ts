/** What the clients of a run did and saw. The checker uses this and the history, and nothing else. */
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '../../protocol/events.ts';

/** One message as its sender sent it. `content` is unique in the run, so it identifies the message. */
export interface Sent {
  roomId: number;
  userId: number;
  cid: string;
  content: string;
}

/** One ack as the sender received it. */
export interface Acked {
  roomId: number;
  userId: number;
  cid: string;
  id: number;
  seq: number;
  createdAt: string;
  /** The server knew the cid: an earlier ack was lost on the way, or never sent. */
  isRepeat: boolean;
  /** When it arrived, in milliseconds since 1970, with the full precision of the machine's clock. */
  at: number;
}

/** What one listener received of its room, in order, over all its sockets. */
export interface Hearing {
  roomId: number;
  userId: number;
  /** The seq after which the listener asked for messages. */
  since: number;
  messages: Message[];
  /** The listener stayed to the end, so it must have received all of the history. */
  isComplete: boolean;
}

export class Journal {
  readonly sent: Sent[] = [];
  readonly acked: Acked[] = [];
  readonly hearings: Hearing[] = [];
  /** Cids that were refused as retryable at least once. They may be stored after messages that were sent later. */
  readonly refused = new Set<string>();
  /** Violations of the protocol that clients saw, one line each. */
  readonly violations: string[] = [];
  /** The first copy of each message that was received, by id. */
  readonly #known = new Map<number, Message>();
  #heard = 0;

  /** The number of events that all listeners received, repeats included. */
  get heard(): number {
    return this.#heard;
  }

  /** Starts the record of one listener. */
  listen(roomId: number, userId: number, since = 0): Hearing {
    const hearing: Hearing = { roomId, userId, since, messages: [], isComplete: false };
    this.hearings.push(hearing);
    return hearing;
  }

  /** Records a message that a listener received. Equal copies are kept once, because a run receives millions. */
  hear(hearing: Hearing, message: Message): void {
    const known = this.#known.get(message.id);
    if (known === undefined) this.#known.set(message.id, message);
    hearing.messages.push(known !== undefined && isDeepStrictEqual(known, message) ? known : message);
    this.#heard++;
  }
}
