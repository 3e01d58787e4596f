/** The returners of one load process. They are cut together. */
import type { Door, LoadAnswers } from './plan.ts';
import { Returner } from './returner.ts';

/** When nothing has arrived for this time, the wait ends. */
const PATIENCE_MS = 3000;
/** The time to listen after the last event that was due, to find one too many. */
const LISTEN_ON_MS = 300;

export class Comebacks {
  #returners: Returner[] = [];
  #progressAt = 0;

  async open(door: Door, isAudited: boolean): Promise<void> {
    const returner = new Returner(door, isAudited, () => {
      this.#progressAt = performance.now();
    });
    await returner.open();
    this.#returners.push(returner);
  }

  cut(): void {
    for (const returner of this.#returners) returner.cut();
  }

  async comeBack(missed: number, concurrency: number): Promise<LoadAnswers['return']> {
    const from = performance.now();
    this.#progressAt = from;
    const queue = this.#returners.values();
    const worker = async () => {
      for (const returner of queue) await returner.comeBack();
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, this.#returners.length) }, worker));
    await this.#settle(missed);
    const seconds = (this.#progressAt - from) / 1000;
    await new Promise((resolve) => setTimeout(resolve, LISTEN_ON_MS));
    const audited = this.#returners.filter(({ isAudited }) => isAudited);
    return {
      seconds,
      live: Float64Array.from(this.#returners, ({ liveAt }) => liveAt - from),
      own: Float64Array.from(this.#returners, ({ liveAt, begunAt }) => liveAt - begunAt),
      complete: this.#returners.filter(({ events }) => events === missed).length,
      events: this.#returners.reduce((sum, { events }) => sum + events, 0),
      audited: audited.length,
      auditedRight: audited.filter((returner) => returner.isRight(missed)).length,
    };
  }

  close(): void {
    for (const returner of this.#returners.splice(0)) returner.close();
  }

  /** Waits until every returner has what it missed, or nothing has arrived for `PATIENCE_MS`. */
  async #settle(missed: number): Promise<void> {
    while (this.#returners.some(({ events }) => events < missed)) {
      if (performance.now() - this.#progressAt > PATIENCE_MS) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
