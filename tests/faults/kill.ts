/** G1 and G3: kill -9 in the middle of traffic, at moments that the seed gives. */
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

export interface KillOptions extends Crowd {
  kills: number;
  /** A kill comes this long after the server was ready, and after this number of acks. */
  lifeMs: { min: number; max: number };
  acksPerLife?: number;
  /** After the last kill, traffic goes on until this number of messages has been acked in total. */
  acks: number;
  window: number;
  /** The main file of the server; by default the one of this build. */
  main?: string;
  patienceMs?: number;
}

export async function killAgainAndAgain(seed: number, options: KillOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const { main, kills, lifeMs, acksPerLife = 0, acks, window } = options;
  await using server = await ServerProcess.start({
    env: { MESSAGES_PER_SECOND: '0' },
    ...(main === undefined ? {} : { main }),
  });
  const seats = await takeSeats(server, options);
  const patience = options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs };
  const traffic = new Traffic({ target: server, random, seats, window, ...patience });
  await traffic.everybodyIn();
  for (let kill = 0; kill < kills; kill++) {
    await traffic.acks(acksPerLife);
    await sleep(random.integer(lifeMs.min, lifeMs.max));
    await server.kill();
    await server.restart();
  }
  await traffic.acks(Math.max(1, acks - traffic.journal.acked.length), 600_000);
  const report = await traffic.finish();
  const disconnects = traffic.members.reduce((sum, member) => sum + member.disconnects, 0);
  return { report, figures: { heard: report.heard, kills, disconnects } };
}
