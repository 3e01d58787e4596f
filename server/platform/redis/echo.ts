/**
 * Proves that what this process publishes comes back to it. A connection that takes commands may still bring nothing: a
 * half-open socket, or a client that has lost its subscriptions.
 */
import { measures } from '../metrics/measures.ts';

const EVERY_MS = 1000;
/** Echoes without a reply. They are counted, so a pause of this process is not taken for silence. */
const UNANSWERED_MAX = 3;

export interface EchoParts {
  publish(): void;
  /** An echo came back. */
  onHeard(): void;
  /** None came back for three seconds. */
  onSilence(): void;
}

export class Echo {
  readonly #parts: EchoParts;
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;
  #sentAt = 0;

  constructor(parts: EchoParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => this.#tick(), EVERY_MS).unref();
    this.#tick();
  }

  heard(): void {
    // With several under way it is not known which of them this is.
    if (this.#unanswered === 1) measures.echo.observe((performance.now() - this.#sentAt) / 1000);
    this.#unanswered = 0;
    this.#parts.onHeard();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    if (this.#unanswered >= UNANSWERED_MAX) return this.#parts.onSilence();
    this.#unanswered++;
    this.#sentAt = performance.now();
    this.#parts.publish();
  }
}
