/**
 * Keeps the event loop polling instead of sleeping. The first write to a sleeping process also has to wake it, which
 * costs the measured server time and depends on how idle the load side is. Only for a server with a core of its own: on
 * a shared core, polling would take CPU time from the server.
 */
import { nowUs } from './content.ts';
import type { RawSocket } from './raw-socket.ts';

/** An empty turn takes a few microseconds. A longer one was interrupted, and used no CPU in that time. */
const EMPTY_TURN_MAX_US = 100;

export class Spin {
  /** The time spent in empty turns, in microseconds. It is part of the CPU time, but it is not load. */
  idleUs = 0;
  #isOn = false;
  #reads = 0;
  #turnAt = 0;

  start(): void {
    if (this.#isOn) return;
    this.#isOn = true;
    this.#turnAt = nowUs();
    this.#turn();
  }

  stop(): void {
    this.#isOn = false;
  }

  /** Records that a socket had something to read in this turn. */
  readonly noteRead: NonNullable<RawSocket['onRead']> = () => {
    this.#reads++;
  };

  #turn(): void {
    setImmediate(() => {
      const now = nowUs();
      if (this.#reads === 0) this.idleUs += Math.min(now - this.#turnAt, EMPTY_TURN_MAX_US);
      this.#reads = 0;
      this.#turnAt = now;
      if (this.#isOn) this.#turn();
    });
  }
}
