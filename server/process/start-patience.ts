/** A start that waits for what is away, such as a database that boots later than this machine. */
import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../platform/log.ts';
import { AwayError } from '../platform/unusable-database.ts';
import { tellPrimary } from './workers/messages.ts';

const PAUSE_MS = { first: 500, most: 5000 };
const SAY_EVERY_MS = 60_000;

/**
 * Calls `open` until it does not reject with an AwayError. Says the reason when it is another one, and once a minute.
 * Rejects with any other error.
 */
export async function patiently<T>(log: Pick<Logger, 'warn'>, open: () => Promise<T>): Promise<T> {
  let said = '';
  let saidAt = 0;
  for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.most)) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof AwayError)) throw error;
      const now = performance.now();
      if (error.message !== said || now - saidAt >= SAY_EVERY_MS) {
        log.warn({ reason: error.message }, 'the start waits for what is away, and goes on by itself');
        [said, saidAt] = [error.message, now];
      }
    }
    if (cluster.isWorker) tellPrimary({ type: 'waiting' });
    await sleep(pause);
  }
}
