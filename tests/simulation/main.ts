/**
 * Long runs: `npm run test:simulation -- --seeds 100000`. `--from` names the first seed, so that a run can be
 * repeated; `--seed` plays one seed and prints its trace.
 */
import { parseArgs } from 'node:util';
import { runSeed } from '../support/random.ts';
import { keepSeed, keptSeeds } from './kept-seeds.ts';
import { planOf } from './plan.ts';
import { explain, play } from './play.ts';
import { simulating } from './simulation.ts';

const PROGRESS_EVERY = 5000;

/** The real clock, saved before time is simulated. */
const now = performance.now.bind(performance);

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, from: { type: 'string' }, seed: { type: 'string' } },
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

const isGood =
  values.seed === undefined
    ? await playMany(
        values.from === undefined ? runSeed() : Number(values.from),
        Number(values.seeds ?? 10_000),
      )
    : await playOne(Number(values.seed));
process.exitCode = isGood ? 0 : 1;
