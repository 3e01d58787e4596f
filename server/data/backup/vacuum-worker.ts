/** Copies a database in a thread of its own: the statement takes as long as the whole copy. */
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../storage/sqlite/driver/open.ts';

const { from, to } = workerData as { from: string; to: string };
const sqlite = openDatabase(from, { timeoutMs: 5000, readOnly: true });
sqlite.prepare('VACUUM INTO ?').run(to);
sqlite.close();
parentPort?.postMessage('done');
