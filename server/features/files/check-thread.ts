/** The thread that looks at files: it begins with the first one, and ends when there has been none for a while. */
import { Worker } from 'node:worker_threads';
import type { CheckReply, CheckTask } from './check-messages.ts';

/** A file may take this long, and the longer one for each megabyte: a disk may be slow. */
const PATIENCE_MS = 10_000;
const PATIENCE_PER_BYTE_MS = 1 / 10_000;
/** How long it waits for the next file: it holds some MiB. */
const IDLE_MS = 10_000;

export class CheckThread {
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Undefined: it took too long, or ended the thread. One call at a time. */
  async check(task: CheckTask, size: number): Promise<CheckReply | undefined> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#begin();
    const reply = await replyOf(worker, task, PATIENCE_MS + size * PATIENCE_PER_BYTE_MS);
    if (reply === undefined) await this.stop();
    else {
      this.#idle = setTimeout(() => void this.stop(), IDLE_MS);
      this.#idle.unref();
    }
    return reply;
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #begin(): Worker {
    // Headers of films are read whole (protocol/media/bytes.ts).
    const resourceLimits = { maxOldGenerationSizeMb: 128 };
    this.#worker = new Worker(new URL('./check-worker.js', import.meta.url), { resourceLimits });
    this.#worker.unref();
    // An error that comes when nobody waits must not end the process.
    this.#worker.on('error', () => undefined);
    return this.#worker;
  }
}

async function replyOf(worker: Worker, task: CheckTask, patienceMs: number): Promise<CheckReply | undefined> {
  let late: NodeJS.Timeout | undefined;
  const listeners = new AbortController();
  try {
    return await new Promise((resolve) => {
      const give = (reply?: CheckReply) => resolve(reply);
      const ended = () => give();
      worker.once('message', give);
      worker.once('error', ended);
      worker.once('exit', ended);
      listeners.signal.addEventListener('abort', () => {
        worker.off('message', give);
        worker.off('error', ended);
        worker.off('exit', ended);
      });
      late = setTimeout(ended, patienceMs);
      worker.postMessage(task);
    });
  } finally {
    clearTimeout(late);
    listeners.abort();
  }
}
