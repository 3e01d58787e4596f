/** The life of a worker thread that owns a connection, seen from the event loop's thread. */
import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from '../../../platform/heap.ts';

/** A worker that has sent its first message. */
export interface Started<Reply> {
  worker: Worker;
  first: Reply;
  /** Asks it to close its connection and end, and resolves when it has ended; at once if it ended by itself. */
  end(): Promise<void>;
}

/** Starts a worker and waits for its first message; rejects when it ends without one. */
export async function startWorker<Reply>(file: string, dataDir: string): Promise<Started<Reply>> {
  const worker = new Worker(new URL(file, import.meta.url), {
    workerData: { dataDir },
    resourceLimits: THREAD_LIMITS,
  });
  // Listened for from the start: a worker may end right after its first message, before that is handled.
  const ended = new Promise<number>((resolve) => worker.once('exit', resolve));
  const first = await new Promise<Reply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    void ended.then((code) => reject(new Error(`${file} ended with code ${code} at its start`)));
  });
  async function end(): Promise<void> {
    worker.postMessage('close');
    await ended;
  }
  return { worker, first, end };
}
