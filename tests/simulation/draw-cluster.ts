/** Turns a plan for one process into one for several: where its faults strike, and the faults that only clusters have. */
import type { Random } from '../support/random.ts';
import type { CallWeather } from './database.ts';
import { talkCalmly, typistsDie } from './draw-talk.ts';
import type { Act, Action, Plan } from './plan.ts';

/** Changes the plan. */
export function makeCluster(random: Random, plan: Plan): void {
  const processes = pick(random, [1, 2, 2, 3, 3, 4]);
  const isBad = random.next() < 0.6;
  const redis = {
    maxMs: pick(random, [1, 5, 50, 400]),
    loss: isBad && random.next() < 0.5 ? random.next() * 0.5 : 0,
    duplicates: isBad && random.next() < 0.5 ? random.next() * 0.5 : 0,
  };
  const endsSession = random.next() < 0.3;
  plan.cluster = {
    processes,
    redis,
    endsSession,
    isCalm: false,
    calls: isBad ? callWeather(random) : { unsent: 0, lost: 0, late: 0, slow: 0 },
  };
  plan.weather.bus = null;
  const atMs = () => random.integer(0, plan.lastsMs);
  if (endsSession) plan.actions.push({ kind: 'end session', atMs: atMs() });
  // Only what has no cid shows that something was stored twice.
  if (plan.hasOldPage)
    for (let count = 0; count < 4; count++) plan.actions.push({ kind: 'say over v1', atMs: atMs() });
  // Processes of a cluster follow the clock of the database, whatever their own clocks say.
  plan.actions = plan.actions.filter(({ kind }) => kind !== 'jump');
  const process = () => random.integer(0, processes - 1);
  for (const action of plan.actions)
    if (action.kind === 'crash' || action.kind === 'restart' || action.kind === 'pause')
      action.process = process();
  plan.actions.push(...troubles(random, plan.lastsMs, process));
  const isCutOff = random.next() < 0.04;
  if (isCutOff) cutOffForLong(random, plan, process());
  if (random.next() < 0.2) plan.cluster.calls.slow = random.next() * 0.2;
  if (isCutOff) return;
  if (random.next() < 0.06) return talkCalmly(random, plan);
  if (random.next() < 0.25) plan.actions.push(...typistsDie(random, plan));
  if (random.next() < 0.1) deafen(random, plan, process());
}

/** A process is cut off from Redis for longer than the others keep its users, and nothing else happens. */
function cutOffForLong(random: Random, plan: Plan, process: number): void {
  const atMs = random.integer(6000, 10_000);
  const forMs = random.integer(16_000, 25_000);
  plan.actions = [{ kind: 'cut redis', process, way: pick(random, ['says', 'hears', 'both']), forMs, atMs }];
  plan.lastsMs = atMs + forMs;
  plan.weather.crashAfterCommit = 0;
  if (plan.cluster) plan.cluster.redis = { maxMs: 5, loss: 0, duplicates: 0 };
}

/** Only the echo shows it, and nothing ends it but new connections. Presence shows whether there are any. */
function deafen(random: Random, plan: Plan, process: number): void {
  const way = pick(random, ['says', 'hears'] as const);
  plan.actions.push({ kind: 'deafen', process, way, atMs: random.integer(0, plan.lastsMs) });
  plan.checksPresence = true;
  // As in rights.ts: a v1 page of somebody who has become a guest cannot come in.
  if (plan.hasOldPage) plan.actions = plan.actions.filter(({ kind }) => kind !== 'role');
}

function callWeather(random: Random): CallWeather {
  const some = () => (random.next() < 0.5 ? random.next() * 0.15 : 0);
  return { unsent: some(), lost: some(), late: some(), slow: 0 };
}

function troubles(random: Random, lastsMs: number, process: () => number): Action[] {
  return Array.from({ length: pick(random, [0, 0, 1, 2, 4]) }, () => ({
    ...trouble(random, process()),
    atMs: random.integer(0, lastsMs),
  }));
}

function trouble(random: Random, process: number): Act {
  const forMs = random.integer(5, 8000);
  return pick<() => Act>(random, [
    () => ({ kind: 'cut redis', process, way: pick(random, ['says', 'hears', 'both']), forMs }),
    () => ({ kind: 'cut redis', process, way: pick(random, ['says', 'hears', 'both']), forMs }),
    () => ({ kind: 'restart redis', downMs: random.integer(0, 8000) }),
    () => ({ kind: 'cut database', process, forMs }),
    () => ({ kind: 'fail over', forMs: random.integer(0, 3000), lost: 0 }),
    () => ({
      kind: 'fail over',
      forMs: random.integer(0, 3000),
      lost: random.integer(1, 6),
    }),
    () => ({ kind: 'crash', process, downMs: random.integer(20, 4000), isSilent: random.next() < 0.2 }),
    () => ({ kind: 'restart', process, downMs: random.integer(20, 4000) }),
    () => ({ kind: 'pause', process, forMs }),
  ])();
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.integer(0, choices.length - 1)] as T;
}
