/**
 * A process that alone cannot reach the database sends its users to the others. When no process reaches it, they stay:
 * the others could do no more for them.
 */
const CHECK_MS = 1000;
/** How long an outage may last before the users are moved. */
const PATIENCE_MS = 10_000;

export interface CutOffParts {
  isDatabaseHealthy: () => Promise<boolean>;
  /** Whether another process has reported lately that it reaches the database. */
  doOthersReachIt: () => boolean;
  /** Sends all users away. Called once for each outage. */
  move: () => void;
}

export class CutOff {
  /** The result of the last check. */
  isHealthy = true;
  readonly #parts: CutOffParts;
  #timer: NodeJS.Timeout | undefined;
  #isChecking = false;
  /** Since when the database does not respond, in monotonic milliseconds. */
  #since: number | null = null;
  #hasMoved = false;

  constructor(parts: CutOffParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const startedAt = performance.now();
    this.isHealthy = await this.#parts.isDatabaseHealthy().catch(() => false);
    this.#isChecking = false;
    if (this.isHealthy) {
      this.#since = null;
      this.#hasMoved = false;
      return;
    }
    this.#since ??= startedAt;
    if (this.#hasMoved || performance.now() - this.#since < PATIENCE_MS || !this.#parts.doOthersReachIt())
      return;
    this.#hasMoved = true;
    this.#parts.move();
  }
}
