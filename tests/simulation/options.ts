/** The command line. */
import { parseArgs } from 'node:util';
import { asUsage, wholeNumber } from '../support/command-line.ts';
import { runSeed } from '../support/random.ts';

export const HELP = `Usage: npm run test:simulation -- [options]

Plays seeds of the simulation until one breaks a promise; first those of kept-seeds.json.
A seed that fails is kept there, and printed with the trace of the smallest plan that fails.

  --seeds N     how many to play (10000)
  --from SEED   the first of them, so that a run can be repeated (SEED of the environment, or a random one)
  --seed SEED   play this one alone, and print its plan and its trace
  --alone       with --seed: with one process, whatever the seed stands for
  --cluster     with --seed: with several processes, whatever the seed stands for
  --planted N   plant each bug of planted-bugs.ts N times, and print how many seeds it took to catch it
  --only NAME   with --planted: only bugs whose name has this text
  --help        print this text
`;

export interface Options {
  /** How many seeds are played, from `first`. */
  readonly seeds: number;
  readonly first: number;
  /** The one seed that is played. */
  readonly seed: number | undefined;
  /** Whether it is played with one process; undefined: as it stands for. */
  readonly isAlone: boolean | undefined;
  /** How often each bug is planted; undefined: none is. */
  readonly planted: number | undefined;
  readonly only: string;
}

/** The options, or null when the help text is asked for. */
export function readOptions(args: string[]): Options | null {
  const { seeds, from, seed, alone, cluster, planted, only, help } = parse(args);
  if (help) return null;
  return {
    seeds: wholeNumber(seeds, 1),
    first: from === undefined ? runSeed() : wholeNumber(from, 0),
    seed: seed === undefined ? undefined : wholeNumber(seed, 0),
    isAlone: alone || (cluster ? false : undefined),
    planted: planted === undefined ? undefined : wholeNumber(planted, 1),
    only,
  };
}

function parse(args: string[]) {
  return asUsage(
    () =>
      parseArgs({
        args,
        options: {
          seeds: { type: 'string', default: '10000' },
          from: { type: 'string' },
          seed: { type: 'string' },
          alone: { type: 'boolean', default: false },
          cluster: { type: 'boolean', default: false },
          planted: { type: 'string' },
          only: { type: 'string', default: '' },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }).values,
  );
}
