/** Copies a database in a thread of its own: the statement takes as long as the whole copy. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../storage/sqlite/driver/open.ts';

const { from, to } = workerData as { from: string; to: string };
try {
  const sqlite = openDatabase(from, { timeoutMs: 5000, readOnly: true });
  sqlite.prepare('VACUUM INTO ?').run(to);
  sqlite.close();
  parentPort?.postMessage({});
} catch (error) {
  // An error of the driver loses its message on the way to another thread.
  parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) });
}
