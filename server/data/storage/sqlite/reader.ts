/** The reader thread: a read-only connection, so that no slow query holds up the event loop or a commit. */
import { parentPort, workerData } from 'node:worker_threads';
import { collectStartGarbage } from '../../../platform/heap.ts';
import { READS } from '../queries/queries.ts';
import type { Steps } from '../queries/steps.ts';
import { databaseFile } from './data-dir.ts';
import { openForReading, StepRunner } from './database.ts';
import { codeOf, describe } from './driver/driver.ts';
import { Snapshot } from './snapshot.ts';
import type { ReaderReply, ReadRequest, ReadResult } from './worker-messages.ts';

/** About what it costs to wake the other thread a few times. */
const HOLD_RESULTS_MS = 1;

function start(): void {
  const port = parentPort;
  if (!port) throw new Error('reader.ts is a worker');
  const { dataDir } = workerData as { dataDir: string };
  const sqlite = openForReading(databaseFile(dataDir));
  const runner = new StepRunner(sqlite);
  const snapshot = new Snapshot(sqlite);

  function resultOf({ id, name, args }: ReadRequest): ReadResult {
    try {
      // The union of name and args is one of the pairs of READS; TypeScript cannot follow the pairing.
      const steps = READS[name] as (args: unknown) => Steps<unknown>;
      return { outcome: 'rows', id, result: snapshot.around(() => runner.run(steps(args))) };
    } catch (error) {
      return { outcome: 'failed', id, code: codeOf(error), error: describe(error) };
    }
  }

  function send(results: ReadResult[]): void {
    port?.postMessage({ kind: 'results', results } satisfies ReaderReply);
  }

  /** Results go back together, but none waits long for a slow read that comes after it. */
  function serve(requests: ReadRequest[]): void {
    let results: ReadResult[] = [];
    let sentAt = performance.now();
    for (const request of requests) {
      results.push(resultOf(request));
      if (performance.now() - sentAt < HOLD_RESULTS_MS) continue;
      send(results);
      results = [];
      sentAt = performance.now();
    }
    if (results.length > 0) send(results);
  }

  port.on('message', (message: ReadRequest[] | 'close') => {
    if (message !== 'close') return serve(message);
    sqlite.close();
    port.close();
  });
  port.postMessage({ kind: 'ready' } satisfies ReaderReply);
  void collectStartGarbage();
}

start();
