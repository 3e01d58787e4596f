/** Plays seeds one after the other, and turns a failure into a report that a person can read. */
import { isAloneIn, planOf } from './draw-plan.ts';
import type { Draw } from './kept-seeds.ts';
import type { Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { type SimulationOptions, simulating } from './simulation.ts';

export interface Played {
  seeds: number;
  /** Those of them whose plan has one process on SQLite. */
  alone: number;
  events: number;
  acks: number;
  crashes: number;
  /** The first seed that failed. No seed was played after it. */
  failure: Failure | null;
}

export interface Failure extends Draw {
  violation: string;
}

/** The last lines of a trace, which show what went wrong. */
const REPORTED_LINES = 120;
/** Trace lines that a report leaves out. */
const IS_NOISE = / (?:sent|immediate|timer|up \d+|down \d+)$/;

/** So many seeds from `first` on, each with the plan that it stands for. */
export function* drawsFrom(first: number, count: number): Generator<Draw> {
  for (let seed = first; seed < first + count; seed++) yield { seed, isAlone: isAloneIn(seed) };
}

/** Plays seeds until one fails, or until `mayGoOn` returns false. */
export function play(
  draws: Iterable<Draw>,
  { mayGoOn = () => true, ...options }: SimulationOptions & { mayGoOn?: (played: Played) => boolean } = {},
): Promise<Played> {
  return simulating(async (simulate) => {
    const played: Played = { seeds: 0, alone: 0, events: 0, acks: 0, crashes: 0, failure: null };
    for (const { seed, isAlone } of draws) {
      if (!mayGoOn(played)) break;
      const { violations, events, acks, crashes } = await simulate(planOf(seed, isAlone), options);
      played.seeds++;
      if (isAlone) played.alone++;
      played.events += events;
      played.acks += acks;
      played.crashes += crashes;
      const [violation] = violations;
      if (violation === undefined) continue;
      played.failure = { seed, isAlone, violation };
      break;
    }
    return played;
  });
}

/** Reports the violation of a failing seed, the smallest plan found that still fails, and the trace of that plan. */
export function explain({ seed, isAlone }: Draw, options: SimulationOptions = {}): Promise<string> {
  return simulating(async (simulate) => {
    const fails = async (plan: Plan) => (await simulate(plan, options)).violations.length > 0;
    const whole = planOf(seed, isAlone);
    const { actions, ...scene } = await shrink(whole, fails);
    const { violations, trace } = await simulate({ ...scene, actions }, { ...options, tracing: true });
    return [
      `seed ${seed}${isAlone ? ' alone' : ''}: ${violations[0]}`,
      `${actions.length} of ${whole.actions.length} actions are left of its plan:`,
      `  ${JSON.stringify(scene)}`,
      ...actions.map((action) => `  ${JSON.stringify(action)}`),
      'what happened last (ms, who, what):',
      ...trace.filter((line) => !IS_NOISE.test(line)).slice(-REPORTED_LINES),
    ].join('\n');
  });
}
