/** G5 on a whole server: an fsync fails under traffic. Its batch gets no ack, the process ends, and no ack is lost. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { expectSound } from './storage-acks.ts';
import { attach } from './storage-trace.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface FailingFsyncOptions extends Crowd {
  rounds: number;
  window: number;
  acksBetween: number;
}

export async function failFsyncs(seed: number, options: FailingFsyncOptions): Promise<Finding> {
  const random = seededRandom(seed);
  await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const dataDir = join(server.dataDir, 'data');
  const seats = await takeSeats(server, options);
  const traffic = new Traffic({ target: server, random, seats, window: options.window });
  for (let round = 0; round < options.rounds; round++) {
    await traffic.everybodyIn();
    await traffic.acks(options.acksBetween);
    const file = join(dataDir, random.next() < 0.7 ? 'roomful.db-wal' : 'roomful.db');
    await attach(server.pid, { file, call: 'fsync', error: 'EIO', when: `${random.integer(1, 5)}+` });
    await eventually('the end', () => (server.isRunning ? undefined : true), 60_000);
    assert.deepEqual(await server.stop(), { code: 1, signal: null });
    expectSound(dataDir);
    await server.restart();
  }
  const report = await traffic.finish();
  return { report, figures: { heard: report.heard, 'failed fsyncs': options.rounds } };
}
