/** What a sender has said and has no ack for: it is sent again, under the same cid, until it has one. */
import type { Random } from '../support/random.ts';
import type { Journal, Sent } from './journal.ts';

/** One message in so many is a long one. */
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

  /** In the order in which it was first said. */
  get messages(): Iterable<Sent> {
    return this.#unacked.values();
  }

  /** Says something that nobody has said before. */
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
