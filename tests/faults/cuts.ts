/** G3: clients are cut at random under traffic; in the middle the server is restarted and killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { Member } from './member.ts';
import { type Crowd, Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const POLL_MS = 5;

export interface CutOptions extends Crowd {
  talkers: number;
  window: number;
  messages: number;
  /** The mean number of acks between cuts. Cuts go by progress, not by time, or a slow machine would never finish. */
  acksPerCut: number;
  /** The number of messages that one member misses while they are away. */
  awayFor: number;
}

export async function cutAtRandom(seed: number, options: CutOptions): Promise<Finding> {
  const random = seededRandom(seed);
  const { talkers, window, messages, awayFor } = options;
  await using server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0' } });
  const seats = await takeSeats(server, options);
  const traffic = new Traffic({ target: server, random, seats, window, talkers });
  await traffic.everybodyIn();
  const [witness, ...others] = traffic.members as [Member, ...Member[]];
  const hermit = others.find(({ roomId }) => roomId === witness.roomId) as Member;

  const over = new AbortController();
  const victims = others.filter((member) => member !== hermit);
  const cutting = cutUntil(over.signal, traffic, victims, random, options);
  const absence = stayAway(hermit, witness, awayFor);
  const third = Math.floor(messages / 3);
  await traffic.acks(third, 600_000);
  await server.kill();
  await server.restart();
  await traffic.acks(third, 600_000);
  await server.stop();
  await server.restart();
  await traffic.acks(Math.max(1, messages - traffic.journal.acked.length), 600_000);
  await absence;
  over.abort();
  const cuts = await cutting;
  const report = await traffic.finish();
  return { report, figures: { heard: report.heard, listeners: seats.length, cuts } };
}

/** Cuts members one by one, and sometimes many at once; returns how many were cut. */
async function cutUntil(
  signal: AbortSignal,
  { journal }: Traffic,
  members: readonly Member[],
  random: Random,
  { acksPerCut }: CutOptions,
): Promise<number> {
  let cuts = 0;
  while (!signal.aborted) {
    const goal = journal.acked.length + random.integer(0, 2 * acksPerCut);
    while (journal.acked.length < goal && !signal.aborted) await sleep(POLL_MS);
    const atOnce = random.next() < 0.05 ? Math.ceil(members.length / 4) : 1;
    for (let count = 0; count < atOnce; count++) {
      members[random.integer(0, members.length - 1)]?.cut();
      cuts++;
    }
  }
  return cuts;
}

/** Keeps one member away until the other has received this number of messages more. */
async function stayAway(hermit: Member, witness: Member, messages: number): Promise<void> {
  const until = witness.seq + messages;
  const back = eventually(`${messages} more`, () => (witness.seq >= until ? true : undefined), 600_000);
  hermit.cut(back.then(() => undefined));
  await back;
}
