/**
 * Long runs: `npm run test:simulation -- --seeds 100000`. `--from` names the first seed, so that a run can be
 * repeated; `--seed` plays one seed and prints its trace. `--planted 30` plants each bug of `planted-bugs.ts` 30 times, and
 * prints how many seeds it took to catch it.
 */
import { parseArgs } from 'node:util';
import { runSeed } from '../support/random.ts';
import { planOf } from './draw-plan.ts';
import { keepSeed, keptSeeds } from './kept-seeds.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { withBug } from './planting.ts';
import { explain, play } from './play.ts';
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
    planted: { type: 'string' },
  },
});

function* seedsFrom(first: number, count: number): Generator<number> {
  yield* keptSeeds().map(({ seed }) => seed);
  for (let index = 0; index < count; index++) yield first + index;
}

async function playMany(first: number, count: number): Promise<boolean> {
  const begunAt = now();
  const perMinute = (seeds: number) => Math.round(seeds / ((now() - begunAt) / 60_000));
  console.info(`the kept seeds, then ${first} to ${first + count - 1}`);
  const { failure, ...played } = await play(seedsFrom(first, count), {
    mayGoOn: ({ seeds }) => {
      if (seeds > 0 && seeds % PROGRESS_EVERY === 0)
        console.info(`${seeds} seeds, ${perMinute(seeds)} a minute`);
      return true;
    },
  });
  console.info(JSON.stringify({ ...played, seedsPerMinute: perMinute(played.seeds) }));
  if (failure === null) return true;
  keepSeed(failure.seed, failure.violation);
  console.error(await explain(failure.seed));
  return false;
}

async function playOne(seed: number): Promise<boolean> {
  const { violations, trace } = await simulating((simulate) => simulate(planOf(seed), { tracing: true }));
  console.info(JSON.stringify(planOf(seed)));
  console.info(trace.join('\n'));
  console.info(violations.length === 0 ? 'all promises kept' : violations.join('\n'));
  return violations.length === 0;
}

/** Returns whether every bug was caught each time within `MOST_SEEDS`. */
async function measurePlanted(first: number, times: number): Promise<boolean> {
  let isGood = true;
  for (const bug of PLANTED_BUGS) {
    const took: number[] = [];
    for (let time = 0; time < times; time++) {
      const from = first + time * MOST_SEEDS;
      const { seeds, failure } = await withBug(bug, (options) => {
        const all = Array.from({ length: MOST_SEEDS }, (_, index) => from + index);
        return play(all, options);
      });
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
