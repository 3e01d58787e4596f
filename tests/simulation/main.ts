/** `npm run test:simulation`: see --help. */
import { runCommand } from '../support/command-line.ts';
import { isAloneIn, planOf } from './draw-plan.ts';
import { type Draw, keepSeed, keptSeeds } from './kept-seeds.ts';
import { HELP, readOptions } from './options.ts';
import { PLANTED_BUGS } from './planted-bugs.ts';
import { drawsFor, withBug } from './planting.ts';
import { drawsFrom, explain, play } from './play.ts';
import { simulating } from './simulation.ts';

const PROGRESS_EVERY = 5000;
/** Seeds in which a planted bug must be caught. */
const MOST_SEEDS = 500;

/** The real clock, saved before time is simulated. */
const now = performance.now.bind(performance);

function* theKeptAnd(draws: Iterable<Draw>): Generator<Draw> {
  yield* keptSeeds();
  yield* draws;
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

async function playOne(seed: number, isAlone: boolean): Promise<boolean> {
  const plan = planOf(seed, isAlone);
  const { violations, trace } = await simulating((simulate) => simulate(plan, { tracing: true }));
  console.info(JSON.stringify(plan));
  console.info(trace.join('\n'));
  console.info(violations.length === 0 ? 'all promises kept' : violations.join('\n'));
  return violations.length === 0;
}

/** Returns whether every bug was caught each time within `MOST_SEEDS`. */
async function measurePlanted(first: number, times: number, only: string): Promise<boolean> {
  let isGood = true;
  for (const bug of PLANTED_BUGS.filter(({ name }) => name.includes(only))) {
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

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (!options) return void process.stdout.write(HELP);
  const { seeds, first, seed, isAlone, planted, only } = options;
  let isGood: boolean;
  if (planted !== undefined) isGood = await measurePlanted(first, planted, only);
  else if (seed !== undefined) isGood = await playOne(seed, isAlone ?? isAloneIn(seed));
  else isGood = await playMany(first, seeds);
  process.exitCode = isGood ? 0 : 1;
}

await runCommand(main);
