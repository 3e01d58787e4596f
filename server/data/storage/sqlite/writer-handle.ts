/** The event loop's side of the writer thread: commands queue here, and go over in batches. */
import type { Worker } from 'node:worker_threads';
import { AppError } from '../../../../protocol/errors.ts';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { GroupCommit, ItemFailure } from '../group-commit.ts';
import type { Health } from './health.ts';
import { type Started, startWorker } from './start-worker.ts';
import type { WriteCommand, WriteResult, WriterReply } from './worker-messages.ts';

const LIMITS = { maxBatch: 1000, maxWaitingBytes: 32 * 1024 * 1024 };
/** Everything about a command but its text. */
const COMMAND_OVERHEAD_BYTES = 256;

export interface WriterParts {
  health: Health;
  onWarning(message: string): void;
  /** What it has done by itself, for the log. */
  onProgress(message: string): void;
  onFatal(error: Error): void;
}

export class WriterHandle {
  readonly #worker: Worker;
  readonly #end: () => Promise<void>;
  readonly #health: Health;
  readonly #onWarning: (message: string) => void;
  readonly #onProgress: (message: string) => void;
  readonly #onFatal: (error: Error) => void;
  readonly #queue = new GroupCommit<WriteCommand, unknown>((batch) => this.#commit(batch), weigh, LIMITS);
  #settle: { resolve(results: unknown[]): void; reject(error: Error): void } | undefined;
  #state: 'open' | 'refusing' | 'ending' = 'open';

  private constructor(
    { worker, end }: Started<WriterReply>,
    { health, onWarning, onProgress, onFatal }: WriterParts,
  ) {
    this.#worker = worker;
    this.#end = end;
    this.#health = health;
    this.#onWarning = onWarning;
    this.#onProgress = onProgress;
    this.#onFatal = onFatal;
    worker.on('message', (reply: WriterReply) => this.#receive(reply));
    worker.on('error', onFatal);
    worker.on('exit', () => {
      if (this.#state !== 'ending') onFatal(new Error('the database writer ended'));
    });
  }

  /** Rejects with `UnusableDatabaseError` when the database cannot be used as it is. */
  static async start(dataDir: string, parts: WriterParts): Promise<{ writer: WriterHandle; epoch: string }> {
    const started = await startWorker<WriterReply>('./writer.js', dataDir);
    const { first } = started;
    if (first.kind === 'ready') {
      for (const warning of first.warnings) parts.onWarning(warning);
      return { writer: new WriterHandle(started, parts), epoch: first.epoch };
    }
    await started.end();
    throw new UnusableDatabaseError(first.kind === 'unusable' ? first.message : 'The database did not open.');
  }

  run<Command extends WriteCommand>(command: Command): Promise<WriteResult<Command['name']>> {
    if (this.#state !== 'open')
      return Promise.reject(new AppError('service_unavailable', { retryAfterMs: 1000 }));
    return this.#queue.submit(command) as Promise<WriteResult<Command['name']>>;
  }

  /** Takes no more, and resolves when all that was taken is done. */
  async finish(): Promise<void> {
    this.#state = 'refusing';
    await this.#queue.idle();
  }

  async end(): Promise<void> {
    this.#state = 'ending';
    await this.#end();
  }

  async #commit(batch: WriteCommand[]): Promise<unknown[]> {
    const results = await new Promise<unknown[]>((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#worker.postMessage(batch);
    });
    if (batch.some(({ name }) => name === 'append')) this.#health.stored();
    return results;
  }

  #receive(reply: WriterReply): void {
    switch (reply.kind) {
      case 'committed':
        for (const { index, error } of reply.failures)
          reply.results[index] = new ItemFailure(new Error(`a command failed: ${error}`));
        return this.#settle?.resolve(reply.results);
      case 'rolled_back':
        this.#health.failed(reply);
        return this.#settle?.reject(
          new AppError('service_unavailable', { cause: reply.error, retryAfterMs: 1000 }),
        );
      case 'unknown':
        // The batch's promises never settle: neither success nor failure is known to be true.
        return this.#onFatal(new Error(`a commit's fate is unknown: ${reply.error}`));
      case 'gone':
        return this.#onFatal(new Error(reply.message));
      case 'warning':
        return this.#onWarning(reply.message);
      case 'progress':
        return this.#onProgress(reply.message);
      case 'ready':
      case 'unusable':
        return;
    }
  }
}

function weigh(command: WriteCommand): number {
  return COMMAND_OVERHEAD_BYTES + (command.name === 'append' ? command.args.content.length * 2 : 0);
}
