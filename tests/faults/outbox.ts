/** The messages of a sender that have no ack. They are sent again, under the same cid, until they have one. */
import type { Random } from '../support/random.ts';
import type { Journal, Sent } from './journal.ts';

/** One message in this number is a long one. */
const LONG_ONE_IN = 40;
const LONGEST = 4000;

export class Outbox {
  readonly #unacked = new Map<string, Sent>();
  readonly #journal: Journal;
  readonly #random: Random;
  #said = 0;

  constructor(journal: Journal, random: Random) {
    this.#journal = journal;
    this.#random = random;
  }

  get size(): number {
    return this.#unacked.size;
  }

  /** In the order in which they were first sent. */
  get messages(): Iterable<Sent> {
    return this.#unacked.values();
  }

  /** Adds a message with a new, unique text. */
  say(roomId: number, userId: number): Sent {
    const cid = `r${roomId}-u${userId}-${this.#said++}`;
    const isLong = this.#random.integer(1, LONG_ONE_IN) === 1;
    const content = isLong ? cid.padEnd(this.#random.integer(100, LONGEST), ' \u00e4') : cid;
    const sent = { roomId, userId, cid, content };
    this.#journal.sent.push(sent);
    this.#unacked.set(cid, sent);
    return sent;
  }

  find(cid: string): Sent | undefined {
    return this.#unacked.get(cid);
  }

  acked(cid: string): void {
    this.#unacked.delete(cid);
  }
}
