/**
 * A client that is in a room for the whole run, whatever happens to the connection. It reconnects, resumes, sends again
 * what has no ack, and records everything that it sends and receives. A member with window 0 only listens.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message } from '../../protocol/events.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { Target } from '../support/http.ts';
import type { OfType } from '../support/listener.ts';
import type { Random } from '../support/random.ts';
import { type Cursor, RoomLine } from '../support/room-line.ts';
import type { Login } from '../support/users.ts';
import type { Hearing, Journal, Sent } from './journal.ts';
import { Outbox } from './outbox.ts';

const RECONNECT_MS = { min: 10, max: 120 };
/** A sender pauses now and then, so that batches of all sizes are committed. */
const PAUSE_PROBABILITY = 0.1;
const LONGEST_PAUSE_MS = 3;
const RETRY_MS = 50;

/** A user and the room that they are in. */
export interface Seat {
  login: Login;
  roomId: number;
}

export interface MemberOptions {
  target: Target;
  journal: Journal;
  random: Random;
  /** The number of messages that a sender keeps in flight. */
  window: number;
}

export class Member {
  readonly roomId: number;
  /** The number of connections that were lost, for any reason. */
  disconnects = 0;
  /** The codes with which the server closed them. */
  readonly closeCodes = new Set<number>();
  /** The number of joins of others that this member received, in any kind of frame. */
  joins = 0;
  leaves = 0;
  readonly #seat: Seat;
  readonly #options: MemberOptions;
  readonly #hearing: Hearing;
  readonly #outbox: Outbox;
  #client: RoomLine | null = null;
  #isIn = false;
  #epoch: string | undefined;
  /** The users in the room when this member last entered it. */
  #present: ReadonlySet<number> = new Set();
  #away: Promise<void> | null = null;
  #returnInMs: number | undefined;
  #isSilent = false;
  #head = Number.POSITIVE_INFINITY;

  constructor(seat: Seat, options: MemberOptions) {
    this.roomId = seat.roomId;
    this.#seat = seat;
    this.#options = options;
    this.#hearing = options.journal.listen(seat.roomId, seat.login.userId);
    this.#outbox = new Outbox(options.journal, options.random);
  }

  /** The seq of the last event received. */
  get seq(): number {
    return this.#hearing.messages.at(-1)?.seq ?? this.#hearing.since;
  }

  /** Whether it is connected, and in the room. */
  get isIn(): boolean {
    return this.#isIn && this.#client?.isOpen === true;
  }

  /** Whether everything that was sent is acked. */
  get isAnswered(): boolean {
    return this.#outbox.size === 0;
  }

  /** Whether it has received everything up to the seq that `finish` named. */
  get hasLeft(): boolean {
    return this.#hearing.isComplete;
  }

  /** Stays in the room until it has received everything up to the seq that `finish` names. */
  async run(): Promise<void> {
    const { random } = this.#options;
    while (this.seq < this.#head) {
      if (this.#away) await this.#away;
      const client = await this.#enter();
      if (client === null) {
        await sleep(random.integer(RECONNECT_MS.min, RECONNECT_MS.max));
        continue;
      }
      const { code } = await client.closed;
      this.#client = null;
      this.#isIn = false;
      if (this.seq >= this.#head) break;
      this.closeCodes.add(code);
      this.disconnects++;
      await sleep(this.#returnInMs ?? random.integer(0, RECONNECT_MS.max));
      this.#returnInMs = undefined;
    }
    this.#hearing.isComplete = true;
  }

  /** Cuts the connection, with or without a close frame, and stays away until `until` resolves. */
  cut(until?: Promise<void>): void {
    if (until) this.#away = until.then(() => this.#comeBack());
    const client = this.#client;
    if (client) void (this.#options.random.next() < 0.5 ? client.drop() : client.close());
  }

  /** Sends nothing new. What has no ack is still sent until it has one. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  /** Gives up at once. */
  abandon(): void {
    this.#isSilent = true;
    this.#head = -1;
    void this.#client?.drop();
  }

  /** Ends when it has received everything up to `head`. */
  finish(head: number): void {
    this.#head = head;
    if (this.seq >= head) void this.#client?.close();
  }

  #comeBack(): void {
    this.#away = null;
  }

  /** A new socket, or null while there is no server. */
  async #enter(): Promise<RoomLine | null> {
    const { target } = this.#options;
    const { login, roomId } = this.#seat;
    const cursor: Cursor = { since: this.seq, ...(this.#epoch === undefined ? {} : { epoch: this.#epoch }) };
    let early: ServerFrameV2[] | null = [];
    try {
      const client: RoomLine = await RoomLine.open(target, login, roomId, {
        cursor,
        keep: false,
        // The first frames may arrive with the handshake, before `client` is assigned.
        onFrame: (frame) => (early ? early.push(frame) : this.#hear(client, frame)),
      });
      this.#client = client;
      for (const frame of early) this.#hear(client, frame);
      early = null;
      // It may have received everything before this connection was open, and `finish` had nothing to close.
      if (this.seq >= this.#head) void client.close();
      return client;
    } catch {
      return null;
    }
  }

  #hear(client: RoomLine, frame: ServerFrameV2): void {
    switch (frame.type) {
      case 'hello':
        this.#epoch = frame.epoch;
        return;
      case 'opened':
        return this.#begin(client, frame);
      case 'batch':
        for (const event of frame.events) this.#take(event);
        return;
      case 'message':
        return this.#take(frame);
      case 'sync':
        if (frame.seq !== this.seq) this.#complain(frame);
        return;
      case 'ack':
        return this.#acked(client, frame);
      case 'error':
        return this.#refused(client, frame);
      case 'restart':
        this.#returnInMs = frame.in_ms;
        return;
      case 'presence':
        if (frame.users) {
          this.#present = new Set(frame.users.map(({ user_id }) => user_id));
          this.#isIn = true;
        }
        // A join of a user who is already present is not a new one: it brings a slow client up to date.
        this.joins += frame.joined.filter(({ user_id }) => !this.#present.has(user_id)).length;
        this.leaves += frame.left.length;
        return;
      case 'reset':
      case 'gone':
        return this.#complain(frame);
    }
  }

  #begin(client: RoomLine, opened: OfType<ServerFrameV2, 'opened'>): void {
    if (!opened.resumed || opened.seq < this.seq) this.#complain(opened);
    for (const sent of this.#outbox.messages) this.#send(client, sent);
    this.#fillWindow(client);
  }

  #take(event: Message): void {
    this.#options.journal.hear(this.#hearing, event);
    if (event.seq >= this.#head) void this.#client?.close();
  }

  #acked(client: RoomLine, ack: OfType<ServerFrameV2, 'ack'>): void {
    const { journal, random } = this.#options;
    const { cid, id, seq, created_at: createdAt, duplicate } = ack;
    const { userId } = this.#seat.login;
    const at = performance.timeOrigin + performance.now();
    journal.acked.push({
      at,
      roomId: this.roomId,
      userId,
      cid,
      id,
      seq,
      createdAt,
      isRepeat: duplicate === true,
    });
    this.#outbox.acked(cid);
    const goOn = () => this.#fillWindow(client);
    if (random.next() < PAUSE_PROBABILITY) setTimeout(goOn, random.integer(1, LONGEST_PAUSE_MS));
    else goOn();
  }

  #refused(client: RoomLine, error: OfType<ServerFrameV2, 'error'>): void {
    const sent = error.cid === undefined ? undefined : this.#outbox.find(error.cid);
    if (!error.retryable || !sent) return this.#complain(error);
    this.#options.journal.refused.add(sent.cid);
    setTimeout(() => this.#send(client, sent), error.retry_after_ms ?? RETRY_MS);
  }

  #fillWindow(client: RoomLine): void {
    const { window } = this.#options;
    while (!this.#isSilent && client.isOpen && this.#outbox.size < window)
      this.#send(client, this.#outbox.say(this.roomId, this.#seat.login.userId));
  }

  #send(client: RoomLine, { cid, content }: Sent): void {
    if (client.isOpen) client.say(content, cid);
  }

  #complain(frame: ServerFrameV2): void {
    const { userId } = this.#seat.login;
    this.#options.journal.violations.push(
      `user ${userId}, at ${this.seq}: ${JSON.stringify(frame).slice(0, 500)}`,
    );
  }
}
