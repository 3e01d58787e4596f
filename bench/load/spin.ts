/**
 * Keeps the event loop polling instead of sleeping. The first write to the sockets of a sleeping process also pays for
 * waking it, which is time of the server under measurement and depends on how idle the load side happens to be.
 */
import { nowUs } from './content.ts';
import type { RawSocket } from './raw-socket.ts';

/** A turn that brought nothing takes a few microseconds; a longer one was interrupted, and used no CPU meanwhile. */
const EMPTY_TURN_MAX_US = 100;

export class Spin {
  /** Time spent in turns that brought nothing, microseconds: not load, whatever the CPU time says. */
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

  /** Notes that a socket had something to read in this turn. */
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
