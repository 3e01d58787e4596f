/** The reader thread: a read-only connection, so that no slow query holds up the event loop or a commit. */
import { parentPort, workerData } from 'node:worker_threads';
import { READS } from '../queries/queries.ts';
import type { Steps } from '../queries/steps.ts';
import { databaseFile } from './data-dir.ts';
import { openForReading, StepRunner } from './database.ts';
import { codeOf, describe } from './driver/driver.ts';
import type { ReaderReply, ReadRequest } from './worker-messages.ts';

function start(): void {
  const port = parentPort;
  if (!port) throw new Error('reader.ts is a worker');
  const { dataDir } = workerData as { dataDir: string };
  const sqlite = openForReading(databaseFile(dataDir));
  const runner = new StepRunner(sqlite);

  function reply({ id, name, args }: ReadRequest): ReaderReply {
    try {
      // The union of name and args is one of the pairs of READS; TypeScript cannot follow the pairing.
      const steps = READS[name] as (args: unknown) => Steps<unknown>;
      return { kind: 'rows', id, result: runner.run(steps(args)) };
    } catch (error) {
      return { kind: 'failed', id, code: codeOf(error), error: describe(error) };
    }
  }

  port.on('message', (message: ReadRequest | 'close') => {
    if (message !== 'close') return port.postMessage(reply(message));
    sqlite.close();
    port.close();
  });
  port.postMessage({ kind: 'ready' } satisfies ReaderReply);
}

start();
