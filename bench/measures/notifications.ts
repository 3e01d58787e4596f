/** What calls of a whole room cost its plain messages, and how late its notifications are. */
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX } from '../../protocol/constants.ts';
import { inboxResponse } from '../../protocol/rest/notifications.ts';
import { serverOptions } from '../contenders/contenders.ts';
import { type CrowdedRoomful, type Member, startCrowdedRoomful } from '../contenders/crowded-roomful.ts';
import { roomful } from '../contenders/roomful.ts';
import { Load, span } from '../load/load.ts';
import { OwnLine } from '../load/own-line.ts';
import { planRoom } from '../load/plan.ts';
import { median, percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { measureLag } from './notifications-lag.ts';
import { occupy } from './turn.ts';

const SENDERS = 10;
/** As bench/load/plan.ts. */
const SAMPLED = 4;
/** At the steady load each sender posts once in this time. */
const POST_EVERY_MS = 250;
/**
 * Notifications of people who are online are decided again after 15 seconds (server/features/notifications/notifier.ts).
 */
const DUE_MS = 14_500;
/** What is still on the way when a span ends. */
const REST_MS = 1000;
const LOADS = ['steady', 'full'] as const;
const SPANS = ['plain messages only', 'and a call of the room', 'and its notifications are due'] as const;

interface Numbers {
  postsPerSecond: number;
  deliveriesPerSecond: number;
  deliveryMs: { p50: number; p99: number };
  echoMs: { p50: number; p99: number };
  serverCpu: number;
}

interface Row {
  load: (typeof LOADS)[number];
  span: (typeof SPANS)[number];
  rounds: Numbers[];
}

interface Stand {
  running: CrowdedRoomful;
  load: Load;
  room: number;
}

export async function measureNotifications(bench: Bench): Promise<Result> {
  const room = Math.max(...bench.options.rooms);
  const { rows, ...calls } = await measureCalls(bench, room);
  const { reachedMs, aloneCpuS, aloneMs } = calls;
  const lag = await measureLag(bench);
  return {
    title: 'Notifications',
    note:
      `${count(room)} members, each with a line of their own. ${SENDERS} of them post: steadily, ` +
      `${(SENDERS * 1000) / POST_EVERY_MS} messages a second, or with one message each in flight. In turns, the owner posts ` +
      '`@room` at the beginning of the span, and its notifications are due 15 s later. × compares with the spans without. ' +
      `The last member had the call in the inbox after ${decimal(median(reachedMs) / 1000)} s (median). ` +
      `While nobody posts, that takes ${decimal(median(aloneMs) / 1000)} s, and ${decimal(median(aloneCpuS))} s of ` +
      'server CPU.',
    table: {
      head: [
        ...['load', 'what', 'posts/s', '×', 'deliveries/s', 'delivery p50 ms', 'p99 ms', '× p50', '× p99'],
        ...['echo p50 ms', 'p99 ms', 'server CPU'],
      ],
      rows: rows.map((row) => toCells(row, rows)),
    },
    more: [lag],
    data: { rows, ...calls, lag: lag.data },
  };
}

interface Calls {
  rows: Row[];
  /** From the call to the entry of the last member, at both loads. */
  reachedMs: number[];
  /** The same while nobody posts, and what the server's CPU does for it. */
  aloneMs: number[];
  aloneCpuS: number[];
}

async function measureCalls(bench: Bench, room: number): Promise<Calls> {
  const rows: Row[] = LOADS.flatMap((load) => SPANS.map((span) => ({ load, span, rounds: [] })));
  const reachedMs: number[] = [];
  const aloneMs: number[] = [];
  const aloneCpuS: number[] = [];
  bench.progress(`notifications: a room of ${room} is made`);
  const running = await startCrowdedRoomful(serverOptions(roomful, bench), room);
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  let owner: OwnLine | undefined;
  try {
    const [ownersDoor] = running.doors;
    const last = running.members.at(-1);
    if (!ownersDoor || !last) throw new Error('a room has members');
    bench.progress(`notifications: ${room} members open their lines`);
    await occupy(load, planRoom(running.doors, room, SENDERS));
    owner = await OwnLine.open(ownersDoor);
    const stand = { running, load, room };
    const { seconds, rounds } = bench.options;
    for (let round = 1; round <= rounds; round++) {
      const cpuFrom = running.process.cpuSeconds();
      const from = performance.now();
      const alone = await owner.say(running.roomId, `@room quiet call ${round}`);
      aloneMs.push((await whenListed(running, last, alone)) - from);
      await sleep(REST_MS);
      aloneCpuS.push(running.process.cpuSeconds() - cpuFrom);
      // Its notifications are not to be due in a span without.
      await sleep(DUE_MS);
      await settle(load);
      for (const name of LOADS) {
        const [plain, called, due] = rows.filter((row) => row.load === name);
        bench.progress(`notifications, round ${round}, ${name}`);
        plain?.rounds.push(await measureSpan(stand, name, seconds));
        const calledAt = performance.now();
        const id = owner.say(running.roomId, `@room call ${round} at ${name} load`);
        const reached = id.then((messageId) => whenListed(running, last, messageId));
        called?.rounds.push(await measureSpan(stand, name, seconds));
        reachedMs.push((await reached) - calledAt);
        await sleep(Math.max(0, calledAt + DUE_MS - performance.now()));
        due?.rounds.push(await measureSpan(stand, name, seconds));
        await settle(load);
      }
    }
  } finally {
    owner?.close();
    await load.stop();
    await running.stop();
  }
  return { rows, reachedMs, aloneMs, aloneCpuS };
}

async function measureSpan(
  { running, load, room }: Stand,
  name: Row['load'],
  seconds: number,
): Promise<Numbers> {
  const cpuFrom = running.process.cpuSeconds();
  const from = await load.mark(true);
  if (name === 'full') await load.send(1, false);
  await (name === 'full' ? sleep(seconds * 1000) : postSteadily(load, seconds));
  const to = await load.mark(false);
  const cpuTo = running.process.cpuSeconds();
  const { delivery, answer } = await load.halt();
  await sleep(REST_MS);
  const measured = span(from, to);
  return {
    postsPerSecond: measured.answers / measured.seconds,
    // The frames that reach everybody are counted at the few who read them: a call has frames of its own.
    deliveriesPerSecond: ((delivery.length / SAMPLED) * room) / measured.seconds,
    deliveryMs: { p50: percentile(delivery, 0.5), p99: percentile(delivery, 0.99) },
    echoMs: { p50: percentile(answer, 0.5), p99: percentile(answer, 0.99) },
    serverCpu: (cpuTo - cpuFrom) / measured.seconds,
  };
}

async function postSteadily(load: Load, seconds: number): Promise<void> {
  const from = performance.now();
  for (let posts = 1; posts <= (seconds * 1000) / POST_EVERY_MS; posts++) {
    await load.post(1);
    await sleep(Math.max(0, from + posts * POST_EVERY_MS - performance.now()));
  }
}

/** When the member's inbox begins with this message. */
async function whenListed(
  { process }: CrowdedRoomful,
  { token }: Member,
  messageId: number,
): Promise<number> {
  for (;;) {
    const url = `http://127.0.0.1:${process.port}${API_PREFIX}/me/inbox?limit=1`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { entries } = inboxResponse.parse(await response.json());
    if (entries[0]?.message.id === messageId) return performance.now();
    await sleep(20);
  }
}

/** Until nothing arrives any more. */
async function settle(load: Load): Promise<void> {
  for (let last = -1; ; ) {
    const frames = (await load.mark(false)).reduce((sum, mark) => sum + mark.frames, 0);
    if (frames === last) return;
    last = frames;
    await sleep(1000);
  }
}

function toCells({ load, span: what, rounds }: Row, rows: readonly Row[]): string[] {
  const plain = rows.find((row) => row.load === load)?.rounds ?? [];
  const middle = (pick: (numbers: Numbers) => number) => median(rounds.map(pick));
  const ratio = (pick: (numbers: Numbers) => number) =>
    decimal(median(rounds.map((numbers, index) => pick(numbers) / pick(plain[index] ?? numbers))));
  return [
    load,
    what,
    count(middle(({ postsPerSecond }) => postsPerSecond)),
    ratio(({ postsPerSecond }) => postsPerSecond),
    count(middle(({ deliveriesPerSecond }) => deliveriesPerSecond)),
    decimal(middle(({ deliveryMs }) => deliveryMs.p50)),
    decimal(middle(({ deliveryMs }) => deliveryMs.p99)),
    ratio(({ deliveryMs }) => deliveryMs.p50),
    ratio(({ deliveryMs }) => deliveryMs.p99),
    decimal(middle(({ echoMs }) => echoMs.p50)),
    decimal(middle(({ echoMs }) => echoMs.p99)),
    percent(middle(({ serverCpu }) => serverCpu)),
  ];
}
