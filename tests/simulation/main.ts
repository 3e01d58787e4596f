/**
 * Long runs: `npm run test:simulation -- --seeds 100000`. `--from` names the first seed, so that a run can be
 * repeated; `--seed` plays one seed and prints its trace, with `--alone` or `--cluster` for a plan that it does not stand
 * for. `--planted 30` plants each bug of `planted-bugs.ts` 30 times, and
 * prints how many seeds it took to catch it; with `--only NAME` those whose name has that.
 */
import { parseArgs } from 'node:util';
import { runSeed } from '../support/random.ts';
import { isAloneIn, planOf } from './draw-plan.ts';
import { type Draw, keepSeed, keptSeeds } from './kept-seeds.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { drawsFor, withBug } from './planting.ts';
import { drawsFrom, explain, play } from './play.ts';
import { simulating } from './simulation.ts';

const PROGRESS_EVERY = 5000;
/** Seeds in which a planted bug must be caught. */
const MOST_SEEDS = 500;

/** The real clock, saved before time is simulated. */
const now = performance.now.bind(performance);

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    from: { type: 'string' },
    seed: { type: 'string' },
    alone: { type: 'boolean' },
    cluster: { type: 'boolean' },
    planted: { type: 'string' },
    only: { type: 'string' },
  },
});

function* theKeptAnd(draws: Iterable<Draw>): Generator<Draw> {
  yield* keptSeeds();
  yield* draws;
}

/** What the command line asks for, or what the seed stands for. */
function isAlone(seed: number): boolean {
  return values.alone === true || (values.cluster !== true && isAloneIn(seed));
}

async function playMany(first: number, count: number): Promise<boolean> {
  const begunAt = now();
  const perMinute = (seeds: number) => Math.round(seeds / ((now() - begunAt) / 60_000));
  console.info(`the kept seeds, then ${first} to ${first + count - 1}`);
  const { failure, ...played } = await play(theKeptAnd(drawsFrom(first, count)), {
    mayGoOn: ({ seeds }) => {
      if (seeds > 0 && seeds % PROGRESS_EVERY === 0)
        console.info(`${seeds} seeds, ${perMinute(seeds)} a minute`);
      return true;
    },
  });
  console.info(JSON.stringify({ ...played, seedsPerMinute: perMinute(played.seeds) }));
  if (failure === null) return true;
  keepSeed(failure, failure.violation);
  console.error(await explain(failure));
  return false;
}

async function playOne(seed: number): Promise<boolean> {
  const plan = planOf(seed, isAlone(seed));
  const { violations, trace } = await simulating((simulate) => simulate(plan, { tracing: true }));
  console.info(JSON.stringify(plan));
  console.info(trace.join('\n'));
  console.info(violations.length === 0 ? 'all promises kept' : violations.join('\n'));
  return violations.length === 0;
}

/** Returns whether every bug was caught each time within `MOST_SEEDS`. */
async function measurePlanted(first: number, times: number): Promise<boolean> {
  let isGood = true;
  for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(values.only ?? ''))) {
    const took: number[] = [];
    for (let time = 0; time < times; time++) {
      const from = first + time * MOST_SEEDS;
      const { seeds, failure } = await withBug(bug, (options) =>
        play(drawsFor(bug, from, MOST_SEEDS), options),
      );
      took.push(failure === null ? Number.POSITIVE_INFINITY : seeds);
    }
    took.sort((a, b) => a - b);
    isGood &&= took.every(Number.isFinite);
    console.info(`${bug.name}: median ${took[times >> 1]}, most ${took.at(-1)}`);
  }
  return isGood;
}

async function run(): Promise<boolean> {
  const first = values.from === undefined ? runSeed() : Number(values.from);
  if (values.planted !== undefined) return await measurePlanted(first, Number(values.planted));
  if (values.seed !== undefined) return await playOne(Number(values.seed));
  return await playMany(first, Number(values.seeds ?? 10_000));
}

process.exitCode = (await run()) ? 0 : 1;
