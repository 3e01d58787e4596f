/** The life of a worker thread that owns a connection, seen from the event loop's thread. */
import { Worker } from 'node:worker_threads';

/** A worker that has said its first word. */
export interface Started<Reply> {
  worker: Worker;
  first: Reply;
}

/** Starts a worker and waits for its first word; rejects when it ends without one. */
export async function startWorker<Reply>(file: string, dataDir: string): Promise<Started<Reply>> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData: { dataDir } });
  const first = await new Promise<Reply>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`${file} ended with code ${code} at its start`)));
  });
  return { worker, first };
}

/** Asks a worker to close its connection and end, and resolves when it has. */
export async function endWorker(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('close');
  await ended;
}
