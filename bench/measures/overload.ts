/** Overload: what twice the messages that a server can take leave of its best. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { createRoomful, ROOMFUL_SETTINGS } from '../contenders/roomful.ts';
import { Load } from '../load/load.ts';
import { type FlowCounts, planSenders } from '../load/plan.ts';
import { percentile } from '../statistics.ts';
import { count, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const ROOMS = 100;
const SENDERS_PER_ROOM = 10;
/**
 * Each step offers `FACTOR` times the load of the one before. The search ends after `FLAT_STEPS` steps in a row that do
 * not raise the acknowledged messages by `RISES_FROM`.
 */
const FIRST_RATE = 1500;
const FACTOR = 1.35;
const FLAT_STEPS = 2;
const RISES_FROM = 1.05;
const OVERLOAD_FACTOR = 2;
const OPENING_AT_ONCE = 4;
const WARM_UP_MS = 2000;
/** Longer than a refusal says to wait. */
const REST_MS = 7000;
const PATIENCE_MS = 60_000;

const MARKS = [
  { name: 'the default marks', settings: { OVERLOAD_DELAY_MS: '', OVERLOAD_MEMORY_MB: '' } },
  { name: 'no marks', settings: { OVERLOAD_DELAY_MS: '0', OVERLOAD_MEMORY_MB: '0' } },
];

interface Step {
  /** All of them a second. */
  offered: number;
  acked: number;
  delivered: number;
  refused: number;
  ackMs: { p50: number; p99: number };
}

interface Row {
  name: string;
  steps: Step[];
  peak: Step;
  doubled: Step;
}

export async function measureOverload(bench: Bench): Promise<Result> {
  const rows: Row[] = [];
  for (const { name, settings } of MARKS) rows.push(await measureRow(bench, name, settings));
  return {
    title: 'Overload',
    note:
      `${ROOMS * SENDERS_PER_ROOM} people in ${ROOMS} rooms send messages at a rate that does not depend on the server, but ` +
      'that who was refused is silent for as long as the refusal says. The rate is raised by steps until the ' +
      'acknowledged messages do not rise with it. Then twice the best rate is offered. Goodput is what is ' +
      'acknowledged and delivered then, as a share of the best.',
    table: {
      head: [
        ...['marks', 'load', 'offered/s', 'acked/s', 'deliveries/s', 'refused/s', 'ack p50 ms', 'p99 ms'],
        ...['goodput acked', 'delivered'],
      ],
      rows: rows.flatMap(({ name, peak, doubled }) => [
        toCells(name, 'best', peak, peak),
        toCells(name, 'doubled', doubled, peak),
      ]),
    },
    data: rows,
  };
}

async function measureRow(bench: Bench, name: string, settings: Record<string, string>): Promise<Row> {
  const contender = createRoomful(`Roomful, ${name}`, { settings: { ...ROOMFUL_SETTINGS, ...settings } });
  const running = await contender.start({ ...serverOptions(contender, bench), users: ROOMS });
  const load = new Load(bench.cores.loadProcesses, bench.cores.load);
  try {
    const rooms = await running.makeRooms(ROOMS);
    const doors = rooms.flatMap((ways, index) => ways[index % ways.length] ?? []);
    // Hashing passwords has the core for itself, which is an overload, too.
    await sleep(REST_MS);
    await load.open(planSenders(doors, SENDERS_PER_ROOM), OPENING_AT_ONCE);
    // The first message of a sender makes them a member.
    await measureStep(bench, load, name, FIRST_RATE);
    const steps: Step[] = [];
    for (let [offered, best, flat] = [FIRST_RATE, 0, 0]; flat < FLAT_STEPS; offered *= FACTOR) {
      const step = await measureStep(bench, load, name, Math.round(offered));
      steps.push(step);
      flat = step.acked < best * RISES_FROM ? flat + 1 : 0;
      best = Math.max(best, step.acked);
    }
    const peak = steps.reduce((best, step) => (step.acked > best.acked ? step : best));
    const doubled = await measureStep(bench, load, name, Math.round(peak.acked * OVERLOAD_FACTOR));
    return { name, steps, peak, doubled };
  } finally {
    await load.stop();
    await running.stop();
  }
}

async function measureStep(bench: Bench, load: Load, name: string, offered: number): Promise<Step> {
  await load.flow(offered);
  await sleep(WARM_UP_MS);
  const from = await load.flowCounts(true);
  await sleep(bench.options.seconds * 1000);
  const to = await load.flowCounts(false);
  await load.flow(0);
  const { answer } = await load.halt();
  const perSecond = (pick: (counts: FlowCounts) => number) =>
    (pick(to) - pick(from)) / ((to.atUs - from.atUs) / 1e6);
  const acked = perSecond(({ acks }) => acks);
  const refused = perSecond(({ refusals }) => refusals);
  await settle(load);
  const step = {
    offered: perSecond(({ sent, heldBack }) => sent + heldBack),
    ...{ acked, refused },
    delivered: perSecond(({ frames }) => frames) - acked - refused,
    ackMs: { p50: percentile(answer, 0.5), p99: percentile(answer, 0.99) },
  };
  bench.progress(`overload, ${name}: of ${Math.round(step.offered)}/s ${Math.round(acked)}/s acknowledged`);
  return step;
}

/** Waits until each message is acknowledged or refused; throws when one is not. */
async function settle(load: Load): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const { sent, acks, refusals } = await load.flowCounts(false);
    if (acks + refusals === sent) return void (await sleep(refusals > 0 ? REST_MS : 0));
    await sleep(100);
  }
  throw new Error('some messages were neither acknowledged nor refused');
}

function toCells(name: string, what: string, step: Step, peak: Step): string[] {
  return [
    ...[name, what, count(step.offered), count(step.acked), count(step.delivered), count(step.refused)],
    ...[count(step.ackMs.p50), count(step.ackMs.p99)],
    ...[percent(step.acked / peak.acked), percent(step.delivered / peak.delivered)],
  ];
}
