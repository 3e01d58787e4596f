/** Plays seeds one after the other, and turns a failure into a report that a person can read. */
import { planOf } from './draw-plan.ts';
import type { Plan } from './plan.ts';
import { shrink } from './shrink.ts';
import { type SimulationOptions, simulating } from './simulation.ts';

export interface Played {
  seeds: number;
  events: number;
  acks: number;
  crashes: number;
  /** The first seed that failed. No seed was played after it. */
  failure: Failure | null;
}

export interface Failure {
  seed: number;
  violation: string;
}

/** The last lines of a trace, which show what went wrong. */
const REPORTED_LINES = 120;
/** Trace lines that a report leaves out. */
const IS_NOISE = / (?:sent|immediate|timer|up \d+|down \d+)$/;

/** Plays seeds until one fails, or until `mayGoOn` returns false. */
export function play(
  seeds: Iterable<number>,
  { mayGoOn = () => true, ...options }: SimulationOptions & { mayGoOn?: (played: Played) => boolean } = {},
): Promise<Played> {
  return simulating(async (simulate) => {
    const played: Played = { seeds: 0, events: 0, acks: 0, crashes: 0, failure: null };
    for (const seed of seeds) {
      if (!mayGoOn(played)) break;
      const { violations, events, acks, crashes } = await simulate(planOf(seed), options);
      played.seeds++;
      played.events += events;
      played.acks += acks;
      played.crashes += crashes;
      const [violation] = violations;
      if (violation === undefined) continue;
      played.failure = { seed, violation };
      break;
    }
    return played;
  });
}

/** Reports the violation of a failing seed, the smallest plan found that still fails, and the trace of that plan. */
export function explain(seed: number, options: SimulationOptions = {}): Promise<string> {
  return simulating(async (simulate) => {
    const fails = async (plan: Plan) => (await simulate(plan, options)).violations.length > 0;
    const whole = planOf(seed);
    const { actions, ...scene } = await shrink(whole, fails);
    const { violations, trace } = await simulate({ ...scene, actions }, { ...options, tracing: true });
    return [
      `seed ${seed}: ${violations[0]}`,
      `${actions.length} of ${whole.actions.length} actions are left of its plan:`,
      `  ${JSON.stringify(scene)}`,
      ...actions.map((action) => `  ${JSON.stringify(action)}`),
      'what happened last (ms, who, what):',
      ...trace.filter((line) => !IS_NOISE.test(line)).slice(-REPORTED_LINES),
    ].join('\n');
  });
}
