/** G10: workers that are replaced under traffic. Nothing acked is lost, and each client is cut at most once a time. */
import assert from 'node:assert/strict';
import { Cluster } from '../support/cluster.ts';
import { seededRandom } from '../support/random.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const REPLACED_WITHIN_MS = 120_000;

export interface RollOptions extends Crowd {
  workers: number;
  rolls: number;
  window: number;
  acksPerLife: number;
}

export async function rollUnderLoad(seed: number, options: RollOptions): Promise<Finding> {
  const { workers, rolls, window, acksPerLife } = options;
  const random = seededRandom(seed);
  await using cluster = await Cluster.start({ processes: 1, env: { WEB_CONCURRENCY: String(workers) } });
  const server = cluster.process(0);
  const seats = await takeSeats(server, options);
  const traffic = new Traffic({ target: server, random, seats, window });
  const { members } = traffic;
  await traffic.everybodyIn();
  await traffic.acks(acksPerLife);
  const notices = () => members.reduce((sum, { joins, leaves }) => sum + joins + leaves, 0);
  const before = notices();
  for (let roll = 1; roll <= rolls; roll++) {
    process.kill(server.pid, 'SIGHUP');
    await server.logged(({ msg }) => msg === 'the workers are replaced', roll, REPLACED_WITHIN_MS);
    await traffic.everybodyIn();
    await traffic.acks(acksPerLife);
    for (const { disconnects } of members) assert(disconnects <= roll, 'cut more than once in a roll');
  }
  assert.equal(notices() - before, 0, 'joins and leaves were announced');
  for (const { closeCodes } of members) assert.deepEqual([...closeCodes], [4000]);
  const report = await traffic.finish();
  return { report, figures: { heard: report.heard, rolls } };
}
