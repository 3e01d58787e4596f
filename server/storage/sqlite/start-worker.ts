/** The life of a worker thread that owns a connection, seen from the event loop's thread. */
import { Worker } from 'node:worker_threads';

/** A worker that has said its first word. */
export interface Started<Reply> {
  worker: Worker;
  first: Reply;
  /** Asks it to close its connection and end, and resolves when it has; at once when it has ended by itself. */
  end(): Promise<void>;
}

/** Starts a worker and waits for its first word; rejects when it ends without one. */
export async function startWorker<Reply>(file: string, dataDir: string): Promise<Started<Reply>> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: { dataDir } });
  // Heard from the beginning: a worker that ends right after its first word may have ended before that is looked at.
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
