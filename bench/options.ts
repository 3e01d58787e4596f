/** The command line. */
import { parseArgs } from 'node:util';
import { asUsage, namesIn, wholeNumber } from '../tests/support/command-line.ts';
import { SEARCH_DATABASES, type SearchDatabase } from './contenders/search-databases.ts';
import { SERVERS, type ServerName } from './contenders/server-names.ts';

export const MEASURES = [
  'fanout',
  'ingest',
  'connect',
  'storm',
  'rest',
  'sockets',
  'history',
  'jumps',
  'lines',
  'changes',
  'notifications',
  'crowd',
  'overload',
  'fairness',
  'scrape',
  'retention',
  'files',
  'search',
  'cluster',
  'cluster-reads',
] as const;
export type MeasureName = (typeof MEASURES)[number];

/** The defaults, without `--quick` and with it. */
const FULL = {
  rooms: '10,100,1000,5000',
  windows: '1,8',
  rounds: '3',
  seconds: '4',
  sockets: '15000',
  storm: '5000',
  history: '1000000,10000000',
  messages: '1000000',
  'search-rooms': '10,100,400',
};
const QUICK: typeof FULL = {
  rooms: '10,100,1000',
  windows: '8',
  rounds: '1',
  seconds: '2',
  sockets: '3000',
  storm: '1000',
  history: '200000',
  messages: '100000',
  'search-rooms': '100',
};

export const HELP = `Usage: npm run bench -- [options]

Compares Roomful with Socket.IO 4 and a plain ws server. Each server has one core, and the load has the others.
Progress goes to standard error, the tables to standard output.

  --only LIST           the measures to run, of ${MEASURES.join(',')} (all)
  --quick               small sizes and one short round: a quick look, not a measurement (two minutes)
  --servers LIST        of ${SERVERS.join(',')} (all; bun only if it is in the PATH, and only in fanout)
  --before DIR          also measure an older Roomful, built in the checkout DIR, in the same run
  --before-v1 DIR       the same over chatroom.v1, which every release speaks, beside this build over chatroom.v1
  --rooms LIST          room sizes of the fan-out (${FULL.rooms})
  --windows LIST        messages that each sender keeps in flight in fan-out and ingest (${FULL.windows})
  --rounds N            turns of each server (${FULL.rounds})
  --seconds N           measured seconds of a turn, after a warm-up of one second (${FULL.seconds})
  --sockets N           idle sockets for the memory measure (${FULL.sockets})
  --storm N             sockets of the resume storm (${FULL.storm})
  --history LIST        messages in the database for the history measure (${FULL.history})
  --messages N          messages in the database for the search (${FULL.messages})
  --search-rooms LIST   how many rooms they are in (${FULL['search-rooms']})
  --search-on LIST      of ${SEARCH_DATABASES.join(',')} (all)
  --load-processes N    processes that generate the load (one for each core but the server's)
  --no-pin              do not pin processes to cores
  --profile DIR         write CPU profiles of Roomful's threads into DIR
  --json FILE           write all numbers, of each round too, into FILE
  --help                print this text
`;

export interface Options {
  only: MeasureName[];
  servers: ServerName[];
  before: string | undefined;
  beforeV1: string | undefined;
  rooms: number[];
  windows: number[];
  rounds: number;
  seconds: number;
  sockets: number;
  storm: number;
  history: number[];
  messages: number;
  searchRooms: number[];
  searchOn: SearchDatabase[];
  loadProcesses: number | undefined;
  pin: boolean;
  profile: string | undefined;
  json: string | undefined;
}

/** The options, or null when the help text is asked for. */
export function readOptions(args: string[]): Options | null {
  const given = parse(args);
  if (given.help) return null;
  const values = { ...(given.quick ? QUICK : FULL), ...given };
  return {
    only: namesIn(values.only, MEASURES),
    servers: namesIn(values.servers, SERVERS),
    before: values.before,
    beforeV1: values['before-v1'],
    rooms: list(values.rooms).map(positive),
    windows: list(values.windows).map(positive),
    rounds: positive(values.rounds),
    seconds: positive(values.seconds),
    sockets: positive(values.sockets),
    storm: positive(values.storm),
    history: list(values.history).map(positive),
    messages: positive(values.messages),
    searchRooms: list(values['search-rooms']).map(positive),
    searchOn: namesIn(values['search-on'], SEARCH_DATABASES),
    loadProcesses: values['load-processes'] === undefined ? undefined : positive(values['load-processes']),
    pin: !values['no-pin'],
    profile: values.profile,
    json: values.json,
  };
}

function parse(args: string[]) {
  return asUsage(
    () =>
      parseArgs({
        args,
        options: {
          only: { type: 'string', default: MEASURES.join(',') },
          servers: { type: 'string', default: SERVERS.join(',') },
          before: { type: 'string' },
          'before-v1': { type: 'string' },
          quick: { type: 'boolean', default: false },
          rooms: { type: 'string' },
          windows: { type: 'string' },
          rounds: { type: 'string' },
          seconds: { type: 'string' },
          sockets: { type: 'string' },
          storm: { type: 'string' },
          history: { type: 'string' },
          messages: { type: 'string' },
          'search-rooms': { type: 'string' },
          'search-on': { type: 'string', default: SEARCH_DATABASES.join(',') },
          'load-processes': { type: 'string' },
          'no-pin': { type: 'boolean', default: false },
          profile: { type: 'string' },
          json: { type: 'string' },
          help: { type: 'boolean', short: 'h', default: false },
        },
      }).values,
  );
}

function list(text: string): string[] {
  return text.split(',').map((item) => item.trim());
}

function positive(text: string): number {
  return wholeNumber(text, 1);
}
