/** Who is typing where. A change is told at once; a repeat at most once a second; silence ends it by itself. */
import { TYPING_REPEAT_MS, TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Bus } from '../bus/bus.ts';

interface Typist {
  expiry: NodeJS.Timeout;
  toldAt: number;
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

  start(roomId: number, user: { userId: number; username: string }): void {
    const key = `${roomId} ${user.userId}`;
    const typist = this.#typists.get(key);
    if (!typist) {
      const expiry = setTimeout(() => this.stop(roomId, user), TYPING_TTL_MS);
      expiry.unref();
      this.#typists.set(key, { expiry, toldAt: this.#now() });
      this.#tell(roomId, user, true);
      return;
    }
    typist.expiry.refresh();
    if (this.#now() - typist.toldAt < TYPING_REPEAT_MS) return;
    typist.toldAt = this.#now();
    this.#tell(roomId, user, true);
  }

  /** The user paused, posted or left; nothing is told of who was not typing. */
  stop(roomId: number, user: { userId: number; username: string }): void {
    const key = `${roomId} ${user.userId}`;
    const typist = this.#typists.get(key);
    if (!typist) return;
    clearTimeout(typist.expiry);
    this.#typists.delete(key);
    this.#tell(roomId, user, false);
  }

  #tell(roomId: number, { userId, username }: { userId: number; username: string }, isTyping: boolean): void {
    this.#bus.publish({ type: 'typing', roomId, userId, username, isTyping });
  }
}
