/**
 * Enters rooms on the bus. Users who open a room wait for the bus, but not for long: a Redis that hangs is noticed only
 * after seconds. A room that is opened before the bus brings its events loses nothing, as the head poll reads what was
 * missed.
 */
import type { Bus } from '../../data/bus/bus.ts';
import { within } from '../../platform/deadline.ts';

const PATIENCE_MS = 500;

export class Entering {
  readonly #bus: Pick<Bus, 'enter' | 'crossingMs'>;
  /** Rooms whose events the bus does not bring yet, although it had its time. While there are any, nobody waits. */
  #overdue = 0;

  constructor(bus: Pick<Bus, 'enter' | 'crossingMs'>) {
    this.#bus = bus;
  }

  /** Resolves when the bus brings the room's events, or after half a second. Each call needs one `leave` of the bus. */
  async enter(roomId: number): Promise<void> {
    const entered = this.#bus.enter(roomId);
    // A bus within one process brings everything at once.
    if (this.#bus.crossingMs === 0) return await entered;
    const patienceMs = this.#overdue === 0 ? PATIENCE_MS : 0;
    try {
      await within(patienceMs, entered, 'the bus is slow');
    } catch {
      this.#overdue++;
      void entered.then(() => {
        this.#overdue--;
      });
    }
  }
}
