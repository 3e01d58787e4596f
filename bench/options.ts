/** The command line. */
import { parseArgs } from 'node:util';

export const MEASURES = ['fanout', 'ingest', 'connect', 'rest', 'sockets', 'history'] as const;
export type MeasureName = (typeof MEASURES)[number];

export const HELP = `Usage: npm run bench -- [options]

Measures Roomful beside Socket.IO 4 and a plain ws server: each server on one core, the load on another.
Progress goes to standard error, the tables to standard output.

  --only LIST           what to measure, of ${MEASURES.join(',')} (all)
  --rooms LIST          room sizes of the fan-out (10,100,1000,5000)
  --windows LIST        messages that each of 10 senders keeps in flight in the fan-out (1,8)
  --rounds N            how often each contender has its turn (3)
  --seconds N           how long a turn is measured, after a second of warm-up (4)
  --sockets N           idle sockets for the memory measure (15000)
  --history N           messages in the database for the history measure (1000000)
  --load-processes N    processes that make the load (1 for each core but the server's)
  --no-pin              leave the cores to the system
  --profile DIR         let Roomful write CPU profiles of its threads into DIR
  --json FILE           write all numbers, rounds included, into FILE
  --help                this text
`;

export interface Options {
  only: MeasureName[];
  rooms: number[];
  windows: number[];
  rounds: number;
  seconds: number;
  sockets: number;
  history: number;
  loadProcesses: number | undefined;
  pin: boolean;
  profile: string | undefined;
  json: string | undefined;
}

/** A command line that makes no sense; the message is for whoever typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** What was asked for, or null for the help text. */
export function readOptions(args: string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  return {
    only: list(values.only).map(measureName),
    rooms: list(values.rooms).map(positive),
    windows: list(values.windows).map(positive),
    rounds: positive(values.rounds),
    seconds: positive(values.seconds),
    sockets: positive(values.sockets),
    history: positive(values.history),
    loadProcesses: values['load-processes'] === undefined ? undefined : positive(values['load-processes']),
    pin: !values['no-pin'],
    profile: values.profile,
    json: values.json,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        only: { type: 'string', default: MEASURES.join(',') },
        rooms: { type: 'string', default: '10,100,1000,5000' },
        windows: { type: 'string', default: '1,8' },
        rounds: { type: 'string', default: '3' },
        seconds: { type: 'string', default: '4' },
        sockets: { type: 'string', default: '15000' },
        history: { type: 'string', default: '1000000' },
        'load-processes': { type: 'string' },
        'no-pin': { type: 'boolean', default: false },
        profile: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function list(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function positive(text: string): number {
  const value = Number(text);
  if (/^[0-9]+$/.test(text) && value > 0) return value;
  throw new UsageError(`${JSON.stringify(text)} is not a whole number above 0`);
}

function measureName(text: string): MeasureName {
  const name = MEASURES.find((known) => known === text);
  if (name) return name;
  throw new UsageError(`${JSON.stringify(text)} is none of ${MEASURES.join(', ')}`);
}
