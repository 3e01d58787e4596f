/** Says now and then how far something is, and how long it still takes. */

const PAUSE_MS = 5000;

export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #say: (sentence: string) => void;
  readonly #startedAt = performance.now();
  #saidAt = this.#startedAt;
  #done = 0;

  constructor(what: string, total: number, say: (sentence: string) => void) {
    this.#what = what;
    this.#total = total;
    this.#say = say;
  }

  add(count: number): void {
    this.#done += count;
    const now = performance.now();
    if (now - this.#saidAt < PAUSE_MS || this.#done >= this.#total) return;
    this.#saidAt = now;
    const leftMs = ((now - this.#startedAt) / this.#done) * (this.#total - this.#done);
    const percent = Math.floor((this.#done / this.#total) * 100);
    this.#say(`${this.#what}: ${percent} %, about ${Math.ceil(leftMs / 1000)} s left.`);
  }
}
