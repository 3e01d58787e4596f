/**
 * Fan-out: a room frame is encoded once per protocol, framed once, joined with everything else that the room sends in
 * this turn of the event loop, and handed once to each socket. The outlet says when the turn ends.
 *
 * The frames of a turn are one ordered queue. Most recipients get the same bytes, one shared buffer. A recipient that
 * also has frames of its own, is excepted from one, or was added in mid-turn gets slices of that buffer with its own
 * frames between them. So the order of the calls is the order for everybody.
 */

import { measures } from '../../../platform/metrics/measures.ts';
import type { Outlet, Speaker } from './outlet.ts';
import type { PersonalTurn, Recipient } from './recipient.ts';
import type { Piece } from './socket-writer.ts';
import { type RoomFrame, type SharedTurn, Turn } from './turn.ts';

export class Fanout<Socket extends Recipient = Recipient> implements Speaker {
  readonly #outlet: Outlet;
  readonly #recipients = new Set<Socket>();
  #frames: RoomFrame[] = [];
  /** Recipients with frames of their own, for turns in which the room itself is silent. */
  #personal = new Set<Socket>();
  #isRegistered = false;

  constructor(outlet: Outlet) {
    this.#outlet = outlet;
  }

  get size(): number {
    return this.#recipients.size;
  }

  /** The recipient starts to listen: it gets the room frames that are sent after this call, and none from before. */
  add(recipient: Socket): void {
    this.#recipients.add(recipient);
    if (this.#frames.length > 0 || recipient.turn) this.#turnOf(recipient).from = this.#frames.length;
  }

  /** The recipient gets nothing more, not even what is queued. */
  delete(recipient: Socket): void {
    this.#recipients.delete(recipient);
    this.#personal.delete(recipient);
    recipient.turn = null;
  }

  recipients(): Iterable<Socket> {
    return this.#recipients;
  }

  /** Queues a frame for every recipient. */
  broadcast(frame: RoomFrame): void {
    if (this.#recipients.size === 0) return;
    this.#frames.push(frame);
    this.#schedule();
  }

  /** Queues a frame for one recipient, in its place among the room's. */
  send(recipient: Socket, json: string): void {
    this.#sendOwn(recipient, json);
  }

  /** The same with a whole text frame, whose bytes several recipients may share. */
  sendFramed(recipient: Socket, bytes: Buffer): void {
    this.#sendOwn(recipient, bytes);
  }

  /** The turn ends: hands over what is queued. */
  speak(shared: SharedTurn | null): void {
    this.#isRegistered = false;
    const frames = this.#frames;
    const personal = this.#personal;
    this.#frames = [];
    this.#personal = new Set();
    const turn = new Turn(frames, shared);
    if (frames.length > 0) {
      measures.deliveries += frames.length * this.#recipients.size;
      for (const recipient of this.#recipients) {
        turn.deliver(recipient);
        recipient.turn = null;
      }
    }
    for (const recipient of personal) {
      if (recipient.turn) turn.deliver(recipient);
      recipient.turn = null;
    }
  }

  #sendOwn(recipient: Socket, piece: Piece): void {
    this.#turnOf(recipient).own.push({ before: this.#frames.length, piece });
    this.#schedule();
  }

  #turnOf(recipient: Socket): PersonalTurn {
    recipient.turn ??= { from: this.#recipients.has(recipient) ? 0 : Number.POSITIVE_INFINITY, own: [] };
    this.#personal.add(recipient);
    return recipient.turn;
  }

  #schedule(): void {
    if (this.#isRegistered) return;
    this.#isRegistered = true;
    this.#outlet.register(this);
  }
}
