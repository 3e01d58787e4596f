/**
 * Several workers on one port, with node:cluster: the primary process accepts the connections and hands them out in
 * turn. It serves nothing itself, so it has nothing to lose.
 */
import cluster, { type Worker } from 'node:cluster';
import type { Logger } from '../../platform/log.ts';
import { Gathering, give } from './gathering.ts';
import type { FromWorker, Ready } from './messages.ts';
import { WorkerStartError } from './worker-start-error.ts';

/** The pause before a worker that has ended is replaced: doubled after each early end. */
const PAUSE_MS = { first: 1000, most: 30_000 };
/** After this time an end is not an early one. */
const EARLY_MS = 60_000;
/** A worker that is not ready by then, and does not say that it waits, hangs. */
const READY_WITHIN_MS = 120_000;
/** A worker limits its own stop to 9.5 s. */
const STOP_WITHIN_MS = 10_000;

export class Crew {
  readonly #size: number;
  readonly #log: Logger;
  readonly #gathering = new Gathering();
  #workers = new Set<Worker>();
  /** Workers that are being started in place of others. */
  #starting = 0;
  #refilling: NodeJS.Timeout | undefined;
  #earlyEnds = 0;
  #isStopping = false;
  #reload: Promise<void> | undefined;
  #isReloadWaiting = false;

  constructor(size: number, log: Logger) {
    this.#size = size;
    this.#log = log;
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  /** Resolves when all workers accept connections. Rejects with WorkerStartError when one of them ends before that. */
  async start(): Promise<Ready> {
    // The first one alone: what prevents its start is reported once, and it makes the tables.
    const first = await this.#launch();
    this.#workers.add(first.worker);
    for (const worker of await this.#launchAll(this.#size - 1)) this.#workers.add(worker);
    return first.ready;
  }

  /**
   * Replaces all workers by new ones, which run the code and the settings of now. The old ones serve until all new ones
   * are ready, then stop one after the other. If a new one does not start, the old ones stay.
   */
  reload(): void {
    if (this.#reload !== undefined) {
      this.#isReloadWaiting = true;
      return;
    }
    this.#reload = this.#replaceAll().finally(() => {
      this.#reload = undefined;
      if (!this.#isReloadWaiting) return;
      this.#isReloadWaiting = false;
      this.reload();
    });
  }

  /** Stops all workers. Rejects when one of them did not stop in order and in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#refilling);
    const all = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const ends = all.map((worker) => this.#end(worker, () => kill(worker, 'SIGTERM')));
    if ((await Promise.all(ends)).includes(false)) throw new Error('a worker did not stop in order');
  }

  async #replaceAll(): Promise<void> {
    this.#log.info({ workers: this.#size }, 'replacing the workers');
    let fresh: Worker[];
    try {
      fresh = await this.#launchAll(this.#size);
    } catch (error) {
      if (!this.#isStopping)
        this.#log.error({ err: error }, 'the new workers do not start: the old ones go on');
      return;
    }
    const old = [...this.#workers];
    this.#workers = new Set(fresh.filter((worker) => !worker.isDead()));
    this.#refill();
    for (const worker of old) give(worker, 'accept no more');
    for (const worker of old) {
      if (this.#isStopping) return;
      await this.#end(worker, () => give(worker, 'hand over'));
    }
    this.#log.info('the workers are replaced');
  }

  /** Resolves when all are ready. When one does not start, the others are ended, too. */
  async #launchAll(count: number): Promise<Worker[]> {
    const launches = await Promise.allSettled(Array.from({ length: count }, () => this.#launch()));
    const failed = launches.find((launch) => launch.status === 'rejected');
    const launched = launches
      .filter((launch) => launch.status === 'fulfilled')
      .map(({ value }) => value.worker);
    if (!failed) return launched;
    for (const worker of launched) kill(worker, 'SIGKILL');
    throw failed.reason;
  }

  async #launch(): Promise<{ worker: Worker; ready: Ready }> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    const late = setTimeout(() => kill(worker, 'SIGKILL'), READY_WITHIN_MS);
    const ready = await new Promise<Ready>((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if ('address' in message) resolve(message);
        else if (message.type === 'waiting') late.refresh();
      });
      worker.on('exit', (code) => reject(new WorkerStartError(code)));
      worker.on('error', reject);
    }).finally(() => clearTimeout(late));
    this.#gathering.add(worker);
    worker.on('exit', (code, signal) => {
      if (this.#workers.delete(worker)) this.#onLost({ code, signal, startedAt });
    });
    return { worker, ready };
  }

  /** A worker has ended by itself. */
  #onLost({ code, signal, startedAt }: { code: number; signal?: string; startedAt: number }): void {
    if (this.#isStopping) return;
    this.#log.error({ code, signal }, 'a worker has ended: another one is started');
    this.#earlyEnds = performance.now() - startedAt < EARLY_MS ? this.#earlyEnds + 1 : 0;
    this.#refill(Math.min(PAUSE_MS.first * 2 ** Math.max(0, this.#earlyEnds - 1), PAUSE_MS.most));
  }

  /** Starts the workers that are missing. */
  #refill(pauseMs = 0): void {
    this.#refilling ??= setTimeout(() => {
      this.#refilling = undefined;
      const missing = this.#isStopping ? 0 : this.#size - this.#workers.size - this.#starting;
      for (let count = 0; count < missing; count++) void this.#startOne();
    }, pauseMs);
  }

  async #startOne(): Promise<void> {
    this.#starting++;
    const startedAt = performance.now();
    try {
      const { worker } = await this.#launch();
      this.#workers.add(worker);
    } catch (error) {
      this.#onLost({ code: error instanceof WorkerStartError ? error.code : 1, startedAt });
    } finally {
      this.#starting--;
    }
  }

  /** Asks a worker to end, and kills it if it takes too long. */
  async #end(worker: Worker, ask: () => void): Promise<boolean> {
    this.#workers.delete(worker);
    if (worker.isDead()) return false;
    const ended = new Promise<boolean>((resolve) =>
      worker.once('exit', (code, signal) => resolve(code === 0 || signal === 'SIGTERM')),
    );
    ask();
    const late = setTimeout(() => kill(worker, 'SIGKILL'), STOP_WITHIN_MS);
    return await ended.finally(() => clearTimeout(late));
  }
}

function kill(worker: Worker, signal: NodeJS.Signals): void {
  worker.process.kill(signal);
}
