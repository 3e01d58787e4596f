/**
 * The users who type, by room. A change is announced at once, a repeat at most once a second, and silence ends it. The
 * process with the socket of the typist decides when typing ends; if that process dies, the others end it later.
 */
import { TYPING_REPEAT_MS, TYPING_TTL_MS } from '../../../protocol/limits.ts';
import type { Bus, BusEvent } from '../../data/bus/bus.ts';

/**
 * How long typing lasts after the last announcement of another process: the time within which that process would have
 * announced its end, and some for the bus. It may have seen repeats that it did not announce.
 */
const LOST_AFTER_MS = TYPING_REPEAT_MS + TYPING_TTL_MS + 500;

interface Typist {
  expiry: NodeJS.Timeout;
  announcedAt: number;
}

interface User {
  userId: number;
  username: string;
}

export class Typing {
  /** The process that a typist is connected to has died, and no `false` came: this process must tell the room. */
  onLost: (change: User & { roomId: number; isTyping: false }) => void = () => undefined;
  readonly #bus: Bus;
  readonly #now: () => number;
  /** Users who type through this process. */
  readonly #typists = new Map<string, Typist>();
  /** Users who type through another process. */
  readonly #elsewhere = new Map<string, NodeJS.Timeout>();
  /** Users who have begun to type, while it is read whether others may hear of it. */
  readonly #asking = new Map<string, symbol>();

  /** `now`: monotonic milliseconds. */
  constructor(bus: Bus, now: () => number = () => performance.now()) {
    this.#bus = bus;
    this.#now = now;
    bus.subscribe((event) => this.#hear(event));
  }

  /**
   * The user is typing. `mayAnnounce` is asked once when there is something to announce; if it says no, nothing is
   * announced and nothing changes.
   */
  start(roomId: number, user: User, mayAnnounce: () => boolean): void {
    const key = keyOf(roomId, user);
    const typist = this.#typists.get(key);
    if (!typist) {
      if (!mayAnnounce()) return;
      const expiry = setTimeout(() => this.stop(roomId, user), TYPING_TTL_MS);
      expiry.unref();
      this.#typists.set(key, { expiry, announcedAt: this.#now() });
      this.#announce(roomId, user, true);
      return;
    }
    typist.expiry.refresh();
    if (this.#now() - typist.announcedAt < TYPING_REPEAT_MS || !mayAnnounce()) return;
    typist.announcedAt = this.#now();
    this.#announce(roomId, user, true);
  }

  /**
   * The same once it is known that the others may hear of it. If not, typing ends. A `stop` meanwhile wins. `mayTell`
   * reads the database, so it is asked when there is something to announce, and by one call at a time.
   */
  async startIf(
    mayTell: () => Promise<boolean>,
    { roomId, user, mayAnnounce }: { roomId: number; user: User; mayAnnounce: () => boolean },
  ): Promise<void> {
    const key = keyOf(roomId, user);
    const typist = this.#typists.get(key);
    typist?.expiry.refresh();
    const isRecent = typist !== undefined && this.#now() - typist.announcedAt < TYPING_REPEAT_MS;
    if (isRecent || this.#asking.has(key) || !mayAnnounce()) return;
    const asked = Symbol();
    this.#asking.set(key, asked);
    const tells = await mayTell().catch(() => false);
    if (this.#asking.get(key) !== asked) return;
    this.#asking.delete(key);
    if (tells) this.start(roomId, user, () => true);
    else this.stop(roomId, user);
  }

  /** The user paused, posted or left. Does nothing for a user who is not typing; `mayAnnounce` as in `start`. */
  stop(roomId: number, user: User, mayAnnounce: () => boolean = () => true): void {
    const key = keyOf(roomId, user);
    this.#asking.delete(key);
    const typist = this.#typists.get(key);
    // When the stop may not be announced, the typing ends by itself a little later.
    if (!typist || !mayAnnounce()) return;
    clearTimeout(typist.expiry);
    this.#typists.delete(key);
    this.#announce(roomId, user, false);
  }

  #hear(event: BusEvent): void {
    if (event.type === 'message') this.#posted(event.roomId, event.message);
    else if (event.type === 'typing') this.#heard(event);
  }

  /** The user may have posted through another process, which does not know that they type through this one. */
  #posted(roomId: number, author: User): void {
    if (this.#typists.size === 0) return;
    const typist = this.#typists.get(keyOf(roomId, author));
    if (!typist) return;
    // A message of this process ends the typing itself, after its ack. New typing must not be ended.
    setImmediate(() => {
      if (this.#typists.get(keyOf(roomId, author)) === typist) this.stop(roomId, author);
    });
  }

  #heard({ roomId, userId, username, isTyping }: Extract<BusEvent, { type: 'typing' }>): void {
    const key = keyOf(roomId, { userId });
    const expiry = this.#elsewhere.get(key);
    if (isTyping && !this.#typists.has(key)) {
      if (expiry) return void expiry.refresh();
      const lost = () => {
        this.#elsewhere.delete(key);
        this.onLost({ roomId, userId, username, isTyping: false });
      };
      this.#elsewhere.set(key, setTimeout(lost, LOST_AFTER_MS).unref());
    } else if (expiry) {
      clearTimeout(expiry);
      this.#elsewhere.delete(key);
    }
  }

  #announce(roomId: number, { userId, username }: User, isTyping: boolean): void {
    this.#bus.publish({ type: 'typing', roomId, userId, username, isTyping });
  }
}

function keyOf(roomId: number, { userId }: Pick<User, 'userId'>): string {
  return `${roomId} ${userId}`;
}
