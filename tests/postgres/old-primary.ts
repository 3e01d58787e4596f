/**
 * A primary that failed comes back after its standby was promoted, and takes writes, as nothing keeps it away. Several
 * processes must go on with the new primary, in the same epoch, also those that are started then.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Traffic, takeSeats } from '../faults/traffic.ts';
import type { Finding } from '../faults/trial.ts';
import { Balancer } from '../support/balancer.ts';
import { seededRandom } from '../support/random.ts';
import { RedisServer } from '../support/redis.ts';
import { ServerProcess } from '../support/server-process.ts';
import { PostgresPair } from './postgres-pair.ts';

export interface OldPrimaryOptions {
  /** Whether commits on the old primary still wait for its standby, and so never end. */
  isStillSynchronous: boolean;
  failovers: number;
  acks: number;
  /** How long both primaries run. */
  bothMs: number;
  /** The longest time without an ack while the old primary runs; a process is killed and started meanwhile. */
  silenceMs: number;
}

export async function letOldPrimaryReturn(seed: number, options: OldPrimaryOptions): Promise<Finding> {
  const { isStillSynchronous, failovers, acks, bothMs, silenceMs } = options;
  const random = seededRandom(seed);
  await using pair = await PostgresPair.start({ isSynchronous: true });
  await using redis = await RedisServer.start();
  const env = {
    ...{ DATABASE_URL: pair.url, REDIS_URL: redis.url, JWT_SECRET: randomBytes(32).toString('hex') },
    MESSAGES_PER_SECOND: '0',
  };
  await using first = await ServerProcess.start({ env });
  await using second = await ServerProcess.start({ env });
  await using third = await ServerProcess.start({ env });
  const servers = [first, second, third];
  const pids = () => servers.map(({ pid }) => pid);
  await using balancer = await Balancer.start(() => servers.map(({ port }) => ({ port })));
  const seats = await takeSeats(balancer, { people: 6, rooms: 3, roomsEach: 2 });
  const traffic = new Traffic({ target: balancer, random, seats, window: 1 });
  await traffic.everybodyIn();
  const epoch = await pair.epochOf(pair.primary);
  let longestMs = 0;
  for (let failover = 0; failover < failovers; failover++) {
    await traffic.acks(acks);
    const [old, promoted] = [pair.primary, pair.standby];
    await pair.failOver();
    await traffic.acks(acks);

    await old.restart(isStillSynchronous ? {} : { synchronous_standby_names: '' });
    const from = traffic.journal.acked.length;
    await sleep(bothMs / 2);
    const killed = servers[random.integer(0, servers.length - 1)];
    await killed?.kill();
    await redis.run(['FLUSHALL']);
    await killed?.restart();
    const before = pids();
    await sleep(bothMs / 2);
    await traffic.acks(acks);
    const times = traffic.journal.acked.slice(from).map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    longestMs = Math.max(longestMs, ...gaps);
    assert.deepEqual(pids(), before, 'a process ended by itself');
    assert.equal(await pair.epochOf(promoted), epoch, 'another epoch');
    for (const server of servers)
      assert.match(server.stderr, /more than one host of DATABASE_URL takes writes/);

    await old.kill();
    await pair.rebuild();
    // The processes note that commits wait for a standby again.
    await sleep(6000);
  }
  const report = await traffic.finish();
  assert(longestMs < silenceMs, `no ack for ${longestMs} ms`);
  return {
    report,
    figures: { heard: report.heard, failovers, 'longest silence, ms': Math.round(longestMs) },
  };
}
