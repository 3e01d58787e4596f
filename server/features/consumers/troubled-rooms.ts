/**
 * Rooms in which the work of a consumer fails: each is tried again, later and later, and no other room waits for it.
 */

const PAUSE = { firstMs: 200, maxMs: 30_000 };
/** The least time between two lines in the log about one room. */
const LOG_EVERY_MS = 60_000;

interface Trouble {
  /** Until then the room is left alone. */
  until: number;
  pauseMs: number;
  loggedAt: number;
  /** Failures since the last line in the log. */
  count: number;
}

export class TroubledRooms {
  readonly #rooms = new Map<number, Trouble>();
  readonly #now: () => number;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  has(roomId: number): boolean {
    return this.#rooms.has(roomId);
  }

  isWaiting(roomId: number): boolean {
    return this.#now() < (this.#rooms.get(roomId)?.until ?? 0);
  }

  /** The time to the next try of any room; infinite when there is none. */
  get nextMs(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { until } of this.#rooms.values()) next = Math.min(next, until);
    return Math.max(0, next - this.#now());
  }

  /** Returns how many failures of the room a line in the log should report now; 0: none. */
  fail(roomId: number): number {
    const before = this.#rooms.get(roomId);
    const pauseMs = before ? Math.min(2 * before.pauseMs, PAUSE.maxMs) : PAUSE.firstMs;
    const now = this.#now();
    const count = (before?.count ?? 0) + 1;
    const isLogged = now - (before?.loggedAt ?? Number.NEGATIVE_INFINITY) >= LOG_EVERY_MS;
    const loggedAt = isLogged ? now : (before?.loggedAt ?? now);
    this.#rooms.set(roomId, { until: now + pauseMs, pauseMs, loggedAt, count: isLogged ? 0 : count });
    return isLogged ? count : 0;
  }

  /** The work has succeeded, so the next failure is a new one. */
  recover(roomId: number): void {
    this.#rooms.delete(roomId);
  }

  clear(): void {
    this.#rooms.clear();
  }
}
