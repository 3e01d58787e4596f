/** G8: the database dies in the middle of traffic, again and again. Reads and sends are refused until it is back. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Crowd, Traffic, takeSeats } from '../faults/traffic.ts';
import type { Finding } from '../faults/trial.ts';
import { eventually } from '../support/eventually.ts';
import { send, type Target } from '../support/http.ts';
import { PostgresServer } from '../support/postgres.ts';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';

export interface KillPostgresOptions extends Crowd {
  kills: number;
  window: number;
  acksPerLife: number;
  /** How long the database stays away. */
  awayMs: { min: number; max: number };
}

export async function killPostgres(seed: number, options: KillPostgresOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using postgres = await PostgresServer.startOwn();
  await using server = await ServerProcess.start({
    env: { ...onDatabase(await postgres.createDatabase()), MESSAGES_PER_SECOND: '0' },
  });
  const { pid } = server;
  const traffic = new Traffic({
    ...{ target: server, random, window: options.window },
    seats: await takeSeats(server, options),
  });
  await traffic.everybodyIn();
  let longestMs = 0;
  for (let kill = 0; kill < options.kills; kill++) {
    await traffic.acks(options.acksPerLife);
    await postgres.kill();
    await sleep(random.integer(options.awayMs.min, options.awayMs.max));
    await postgres.restart();
    longestMs = Math.max(longestMs, await backAgain(server, traffic));
  }
  await traffic.acks(options.acksPerLife);
  const report = await traffic.finish();
  assert.equal(server.pid, pid, 'it was started again');
  return {
    report,
    figures: {
      ...{ heard: report.heard, kills: options.kills, refused: traffic.journal.refused.size },
      'normal within, ms': Math.round(longestMs),
    },
  };
}

export function onDatabase(DATABASE_URL: string): Record<string, string> {
  return { DATABASE_URL, JWT_SECRET: randomBytes(32).toString('hex') };
}

/** Waits until the server is ready and has acked a message; returns how long it took, in milliseconds. */
export async function backAgain(target: Target, { journal }: Traffic): Promise<number> {
  const began = performance.now();
  const before = journal.acked.length;
  await eventually('ready', async () => ((await send(target, '/ready')).status === 200 ? true : undefined));
  await eventually('an ack', () => (journal.acked.length > before ? true : undefined), 60_000);
  return performance.now() - began;
}
