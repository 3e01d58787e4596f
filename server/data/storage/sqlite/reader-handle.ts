/**
 * The event loop's side of the reader thread. The reads of one turn of the event loop go over in one message: waking a
 * thread costs more than most reads.
 */
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../../protocol/errors.ts';
import type { SqlReads } from '../queries/queries.ts';
import type { ArgsOf, ResultOf } from '../store/operation.ts';
import type { Health } from './health.ts';
import { type Started, startWorker } from './start-worker.ts';
import type { ReaderReply, ReadRequest, ReadResult } from './worker-messages.ts';

/** Reads that may wait; beyond it new ones are refused at once. */
const MAX_WAITING_READS = 10_000;

export class ReaderHandle {
  readonly #worker: Worker;
  readonly #end: () => Promise<void>;
  readonly #health: Health;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  /** Requests of this turn. */
  #turn: ReadRequest[] = [];
  #lastId = 0;
  #isEnding = false;

  private constructor(
    { worker, end }: Started<ReaderReply>,
    health: Health,
    onFatal: (error: Error) => void,
  ) {
    this.#worker = worker;
    this.#end = end;
    this.#health = health;
    worker.on('message', (reply: ReaderReply) => this.#receive(reply));
    worker.on('error', onFatal);
    worker.on('exit', () => {
      if (!this.#isEnding) onFatal(new Error('the database reader ended'));
    });
  }

  /** The database must be there: the writer makes it. */
  static async start(
    dataDir: string,
    health: Health,
    onFatal: (error: Error) => void,
  ): Promise<ReaderHandle> {
    return new ReaderHandle(await startWorker<ReaderReply>('./reader.js', dataDir), health, onFatal);
  }

  run<Name extends keyof SqlReads>(
    name: Name,
    args: ArgsOf<SqlReads[Name]>,
  ): Promise<ResultOf<SqlReads[Name]>> {
    if (this.#isEnding) return Promise.reject(new AppError('service_unavailable', { retryAfterMs: 1000 }));
    if (this.#waiting.size >= MAX_WAITING_READS) {
      return Promise.reject(new AppError('service_unavailable', { retryAfterMs: 1000 }));
    }
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      if (this.#turn.length === 0) setImmediate(() => this.#send());
      // `name` and `args` belong together; TypeScript cannot follow the pairing.
      this.#turn.push({ id, name, args } as ReadRequest);
    });
  }

  /** Refuses new reads, finishes the accepted ones, and ends. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#send();
    await this.#end();
  }

  #send(): void {
    if (this.#turn.length === 0) return;
    this.#worker.postMessage(this.#turn);
    this.#turn = [];
  }

  #receive(reply: ReaderReply): void {
    if (reply.kind === 'ready') return;
    for (const result of reply.results) this.#settle(result);
  }

  #settle(result: ReadResult): void {
    const waiting = this.#waiting.get(result.id);
    this.#waiting.delete(result.id);
    if (result.outcome === 'rows') return waiting?.resolve(result.result);
    this.#health.failed(result);
    waiting?.reject(new AppError('service_unavailable', { cause: result.error, retryAfterMs: 1000 }));
  }
}
