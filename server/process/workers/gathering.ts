/**
 * A scrape of the shared port reaches one worker, which asks the primary process for the metrics of all. The primary
 * process passes the question on, and knows nothing of what the texts say.
 */
import type { Worker } from 'node:cluster';
import type { FromWorker, ToWorker } from './messages.ts';

/** A worker that does not respond by then is left out of the scrape, and counted in it. */
const RESPOND_WITHIN_MS = 1000;

interface Scrape {
  texts: string[];
  waitsFor: Set<Worker>;
  finish(): void;
}

export class Gathering {
  /** Each worker's number: the lowest that is free, so that there are few over any number of replacements. */
  readonly #numbers = new Map<Worker, number>();
  readonly #scrapes = new Map<number, Scrape>();
  #lastId = 0;

  /** The worker is ready: it is asked from now on, and may ask. */
  add(worker: Worker): void {
    const taken = new Set(this.#numbers.values());
    let number = 1;
    while (taken.has(number)) number++;
    this.#numbers.set(worker, number);
    worker.on('message', (message: FromWorker) => {
      if ('address' in message) return;
      if (message.type === 'scrape') this.#begin(worker, message.id);
      else if (message.type === 'metrics') this.#receive(worker, message.id, message.text);
    });
    worker.on('exit', () => {
      this.#numbers.delete(worker);
      for (const scrape of this.#scrapes.values()) this.#settle(scrape, worker);
    });
  }

  #begin(asker: Worker, askersId: number): void {
    const id = ++this.#lastId;
    const waitsFor = new Set(this.#numbers.keys());
    const finish = () => {
      clearTimeout(late);
      this.#scrapes.delete(id);
      give(asker, { type: 'all metrics', id: askersId, texts: scrape.texts, silent: waitsFor.size });
    };
    const late = setTimeout(finish, RESPOND_WITHIN_MS);
    const scrape: Scrape = { texts: [], waitsFor, finish };
    this.#scrapes.set(id, scrape);
    for (const [worker, number] of this.#numbers) give(worker, { type: 'tell metrics', id, worker: number });
  }

  #receive(worker: Worker, id: number, text: string): void {
    const scrape = this.#scrapes.get(id);
    if (!scrape) return;
    scrape.texts.push(text);
    this.#settle(scrape, worker);
  }

  #settle(scrape: Scrape, worker: Worker): void {
    if (scrape.waitsFor.delete(worker) && scrape.waitsFor.size === 0) scrape.finish();
  }
}

/** Says something to a worker, unless it is about to end. */
export function give(worker: Worker, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}
