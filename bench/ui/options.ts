/** The command line. */
import { parseArgs } from 'node:util';
import { asUsage, namesIn, UsageError } from '../../tests/support/command-line.ts';

export const MEASURES = [
  'script',
  'paint',
  'typing',
  'scrolling',
  'switching',
  'burst',
  'rooms',
  'soak',
] as const;
export type MeasureName = (typeof MEASURES)[number];

export const HELP = `Usage: npm run bench:client -- [options]

Measures the built web client in Chromium, against the real server with its limits off.
Progress goes to standard error, the table to standard output.

  --only LIST        the measures to run, of ${MEASURES.join(',')} (all)
  --messages N       messages in the measured room, all loaded by scrolling back (100000)
  --load-seconds N   the longest time that the loading may take (600)
  --rounds N         how often a first paint is measured (7)
  --rate N           messages per second of the burst (500)
  --burst-seconds N  the length of the burst (20)
  --soak-minutes N   the length of the soak (10)
  --profile DIR      write a CPU profile of the page during each measure into DIR
  --write            write the table into docs/PERFORMANCE.md
  --help             print this text
`;

export interface ClientOptions {
  readonly only: readonly MeasureName[];
  readonly messages: number;
  readonly loadSeconds: number;
  readonly rounds: number;
  readonly rate: number;
  readonly burstSeconds: number;
  readonly soakMinutes: number;
  readonly profile: string | undefined;
  readonly write: boolean;
}

/** The options, or null when the help text is asked for. */
export function readOptions(args: string[]): ClientOptions | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    only: namesIn(values.only, MEASURES),
    messages: positive(values.messages),
    loadSeconds: positive(values['load-seconds']),
    rounds: positive(values.rounds),
    rate: positive(values.rate),
    burstSeconds: positive(values['burst-seconds']),
    soakMinutes: positive(values['soak-minutes']),
    profile: values.profile,
    write: values.write,
  };
}

function parse(args: string[]) {
  return asUsage(
    () =>
      parseArgs({
        args,
        options: {
          only: { type: 'string', default: MEASURES.join(',') },
          messages: { type: 'string', default: '100000' },
          'load-seconds': { type: 'string', default: '600' },
          rounds: { type: 'string', default: '7' },
          rate: { type: 'string', default: '500' },
          'burst-seconds': { type: 'string', default: '20' },
          'soak-minutes': { type: 'string', default: '10' },
          profile: { type: 'string' },
          write: { type: 'boolean', default: false },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }).values,
  );
}

function positive(text: string): number {
  const value = Number(text);
  if (/^[0-9]+(\.[0-9]+)?$/.test(text) && value > 0) return value;
  throw new UsageError(`${JSON.stringify(text)} is not a number above 0`);
}
