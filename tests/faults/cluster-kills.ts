/** G8: several processes on one PostgreSQL and one Redis, each of which is killed under traffic, in a drawn order. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Balancer } from '../support/balancer.ts';
import { Cluster } from '../support/cluster.ts';
import { seededRandom } from '../support/random.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface ClusterKillOptions extends Crowd {
  processes: number;
  /** Kills of each kind. */
  kills: { process: number; redis: number; postgres: number };
  /** A kill comes this long after the one before. */
  pauseMs: { min: number; max: number };
  /** A part is away for up to this time. */
  awayMs: number;
  window: number;
}

export async function killPartsOfCluster(seed: number, options: ClusterKillOptions): Promise<Finding> {
  const { processes, kills, pauseMs, awayMs, window } = options;
  const random = seededRandom(seed);
  await using cluster = await Cluster.start({ processes, isPostgresKilled: kills.postgres > 0 });
  await using balancer = await Balancer.start(() => cluster.processes.map(({ port }) => ({ port })));
  const seats = await takeSeats(balancer, options);
  const traffic = new Traffic({ target: balancer, random, seats, window });
  await traffic.everybodyIn();
  const parts = Object.entries(kills).flatMap(([part, times]) => Array<string>(times).fill(part));
  const total = parts.length;
  while (parts.length > 0) {
    const [part] = parts.splice(random.integer(0, parts.length - 1), 1);
    await sleep(random.integer(pauseMs.min, pauseMs.max));
    const away = random.integer(0, awayMs);
    if (part === 'process') {
      const server = cluster.process(random.integer(0, processes - 1));
      await server.kill();
      await sleep(away);
      await server.restart();
    } else {
      const service = part === 'redis' ? cluster.redis : cluster.postgres;
      await service.kill();
      await sleep(away);
      await service.restart();
    }
  }
  await traffic.acks(500);
  const report = await traffic.finish();
  const disconnects = traffic.members.reduce((sum, member) => sum + member.disconnects, 0);
  return { report, figures: { heard: report.heard, kills: total, disconnects } };
}
