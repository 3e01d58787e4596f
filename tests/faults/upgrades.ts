/** G10: processes of two builds serve one database under traffic, while each is replaced by one of the other build. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Balancer } from '../support/balancer.ts';
import { Cluster } from '../support/cluster.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface UpgradeOptions extends Crowd {
  processes: number;
  window: number;
  /** How often all processes are upgraded and then rolled back. */
  rounds: number;
  /** Acks before, after and between replacements. */
  acksBetween: number;
  /** The main files of the two builds; by default the one of this build. */
  older?: string;
  newer?: string;
}

/** The main file of the older build that OLDER_BUILD names, or why there is none, which is printed. */
export function olderBuild(): { main: string } | { missing: string } {
  const folder = process.env.OLDER_BUILD;
  const main = folder === undefined ? undefined : resolve(folder, 'dist/server/main.js');
  if (main !== undefined && existsSync(main)) return { main };
  const missing =
    main === undefined
      ? 'OLDER_BUILD names no folder with an older build of the server (CONTRIBUTING.md)'
      : `there is no ${main}: build it first (CONTRIBUTING.md)`;
  console.info(`skipped: ${missing}`);
  return { missing };
}

/** Starts with the older build, and ends with it. */
export async function upgradeAndRollBack(seed: number, options: UpgradeOptions): Promise<Finding> {
  const { processes, window, rounds, acksBetween, older, newer } = options;
  const random = seededRandom(seed);
  await using cluster = await Cluster.start({ processes, ...(older === undefined ? {} : { main: older }) });
  await using balancer = await Balancer.start(() => cluster.processes.map(({ port }) => ({ port })));
  const seats = await takeSeats(balancer, options);
  const traffic = new Traffic({ target: balancer, random, seats, window });
  const { members } = traffic;
  await traffic.everybodyIn();
  await traffic.acks(acksBetween);
  const sum = (of: (member: (typeof members)[number]) => number) =>
    members.reduce((total, member) => total + of(member), 0);
  const notices = () => sum(({ joins, leaves }) => joins + leaves);
  const noticesBefore = notices();
  let mixed = 0;
  for (let round = 0; round < rounds; round++) {
    for (const build of [newer, older]) {
      for (const [count, index] of shuffled(random, processes).entries()) {
        await cluster.replace(index, build);
        await traffic.everybodyIn();
        const before = traffic.journal.acked.length;
        await traffic.acks(acksBetween);
        if (count < processes - 1) mixed += traffic.journal.acked.length - before;
      }
    }
  }
  const disconnects = sum((member) => member.disconnects);
  for (const { closeCodes } of members) assert.deepEqual([...closeCodes], [4000]);
  assert.equal(notices() - noticesBefore, 0, 'joins and leaves were announced');
  const report = await traffic.finish();
  const figures = { replacements: 2 * rounds * processes, 'acked among both builds': mixed, disconnects };
  return { report, figures: { heard: report.heard, ...figures } };
}

function shuffled(random: Random, count: number): number[] {
  const rest = Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: count }, () => rest.splice(random.integer(0, rest.length - 1), 1)[0] ?? 0);
}
