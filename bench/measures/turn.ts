/** One turn of one contender: its senders run, the time after a warm-up is measured, and every frame is counted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningContender } from '../contenders/contender.ts';
import { type Load, span } from '../load/load.ts';
import type { Plan } from '../load/plan.ts';
import { percentile } from '../statistics.ts';
import type { Bench } from './measure.ts';

const WARM_UP_MS = 1000;

/** A contender with its own load side, whose sockets are open and which waits for its turn. */
export interface Stand {
  running: RunningContender;
  load: Load;
  /** Whether the server has a core of its own. Elsewhere a polling load side would take CPU time from it. */
  isServerAlone: boolean;
  /** The number of sockets that receive a message. */
  copies: number;
}

export interface Turn {
  deliveriesPerSecond: number;
  /** Messages per second that got their echo or ack. */
  answersPerSecond: number;
  deliveryMs: { p50: number; p99: number };
  answerMs: { p50: number; p99: number };
  /** CPU seconds per second. */
  serverCpu: number;
  loadCpu: number;
}

/** Lets the senders keep `window` messages in flight for `seconds`; throws when a message is lost or arrives twice. */
export async function runTurn(stand: Stand, window: number, seconds: number): Promise<Turn> {
  return await runTurnOf(stand, () => stand.load.send(window, stand.isServerAlone), seconds);
}

/** The same with whatever `start` makes the senders send. */
export async function runTurnOf(
  { running, load, copies }: Stand,
  start: () => Promise<void>,
  seconds: number,
): Promise<Turn> {
  const first = await load.mark(false);
  await start();
  await sleep(WARM_UP_MS);
  const from = await load.mark(true);
  const cpuFrom = running.process.cpuSeconds();
  await sleep(seconds * 1000);
  const to = await load.mark(false);
  const cpuTo = running.process.cpuSeconds();
  const { delivery, answer } = await load.halt();
  await load.drain(first, copies);
  const measured = span(from, to);
  // If everybody sends there is no sampled listener; an echo takes the same path.
  const heard = delivery.length > 0 ? delivery : answer;
  return {
    deliveriesPerSecond: (measured.frames - measured.acks) / measured.seconds,
    answersPerSecond: measured.answers / measured.seconds,
    deliveryMs: { p50: percentile(heard, 0.5), p99: percentile(heard, 0.99) },
    answerMs: { p50: percentile(answer, 0.5), p99: percentile(answer, 0.99) },
    serverCpu: (cpuTo - cpuFrom) / measured.seconds,
    loadCpu: measured.cpuShare,
  };
}

/** The rate per CPU second of the server. It varies less than the rate itself when the machine has other work. */
export function perCpuSecond(rate: (turn: Turn) => number): (turn: Turn) => number {
  return (turn) => rate(turn) / turn.serverCpu;
}

/**
 * Opens the plan's sockets, lets each sender post once, and waits until nothing arrives by itself any more. In Roomful the
 * first post makes the sender a member, of which all their sockets hear.
 */
export async function occupy(load: Load, plan: Plan): Promise<void> {
  await load.open(plan);
  await load.post(1);
  for (let last = -1; ; ) {
    const frames = (await load.mark(false)).reduce((sum, mark) => sum + mark.frames, 0);
    if (frames === last) return;
    last = frames;
    await sleep(300);
  }
}

/** Lets the contenders take turns, A B C A B C, so that other work of the machine affects all of them equally. */
export async function takeTurns(
  bench: Bench,
  stands: Stand[],
  window: number,
  what: string,
): Promise<Turn[][]> {
  const turns: Turn[][] = stands.map(() => []);
  for (let round = 1; round <= bench.options.rounds; round++) {
    for (const [index, stand] of stands.entries()) {
      const turn = await runTurn(stand, window, bench.options.seconds);
      turns[index]?.push(turn);
      const { name } = stand.running.contender;
      bench.progress(
        `${what}, round ${round}, ${name}: ${Math.round(turn.deliveriesPerSecond)} deliveries/s`,
      );
    }
  }
  return turns;
}
