/** The users who type, by room. A change is announced at once, a repeat at most once a second, and silence ends it. */
import { TYPING_REPEAT_MS, TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Bus } from '../bus/bus.ts';

interface Typist {
  expiry: NodeJS.Timeout;
  announcedAt: number;
}

interface User {
  userId: number;
  username: string;
}

export class Typing {
  readonly #bus: Bus;
  readonly #now: () => number;
  readonly #typists = new Map<string, Typist>();

  /** `now`: monotonic milliseconds. */
  constructor(bus: Bus, now: () => number = () => performance.now()) {
    this.#bus = bus;
    this.#now = now;
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

  /** The user paused, posted or left. Does nothing for a user who is not typing; `mayAnnounce` as in `start`. */
  stop(roomId: number, user: User, mayAnnounce: () => boolean = () => true): void {
    const key = keyOf(roomId, user);
    const typist = this.#typists.get(key);
    // When the stop may not be announced, the typing ends by itself a little later.
    if (!typist || !mayAnnounce()) return;
    clearTimeout(typist.expiry);
    this.#typists.delete(key);
    this.#announce(roomId, user, false);
  }

  #announce(roomId: number, { userId, username }: User, isTyping: boolean): void {
    this.#bus.publish({ type: 'typing', roomId, userId, username, isTyping });
  }
}

function keyOf(roomId: number, { userId }: User): string {
  return `${roomId} ${userId}`;
}
