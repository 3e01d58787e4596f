/** Search: how long each kind of query takes while people talk, and whether those who talk wait for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { lineDoorTo, roomful } from '../contenders/roomful.ts';
import type { SearchDatabase } from '../contenders/search-databases.ts';
import { type Build, type SearchedRoomful, startSearchedRoomful } from '../contenders/searched-roomful.ts';
import { Load } from '../load/load.ts';
import { planSenders } from '../load/plan.ts';
import { Texts } from '../search-texts.ts';
import { percentile } from '../statistics.ts';
import { count, decimal, percent, type Table } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { kindsOf } from './search-kinds.ts';
import { type Searched, searchAtRate } from './search-load.ts';

const SEED = 20_261_128;
const TALK_ROOMS = 10;
const SENDERS_PER_ROOM = 2;
const MESSAGES_PER_SECOND = 1000;
const SEARCHES_PER_SECOND = 10;
/** Of each kind, in a round. */
const SEARCHES = 15;
/** Without searches, in a round. */
const ALONE_MS = 10_000;
const WARM_UP_MS = 1000;
const MIB = 1024 ** 2;
const NAME: Record<SearchDatabase, string> = { sqlite: 'SQLite', postgres: 'PostgreSQL' };

interface Stand {
  database: SearchDatabase;
  rooms: number;
  messages: number;
  build: Build;
  searched: Searched[];
  /** Milliseconds of each ack, by round. */
  alone: number[][];
  beside: number[][];
}

export async function measureSearch(bench: Bench): Promise<Result> {
  const { searchOn, searchRooms, messages } = bench.options;
  const stands: Stand[] = [];
  for (const database of searchOn)
    for (const rooms of searchRooms) {
      const texts = new Texts(SEED);
      const progress = (text: string) => bench.progress(`${text} (${NAME[database]}, ${rooms} rooms)`);
      progress(`search: ${count(messages)} messages`);
      const options = serverOptions(roomful, bench);
      const running = await startSearchedRoomful({ database, rooms, messages, texts, options, progress });
      try {
        stands.push({ database, rooms, messages, ...(await measureOne(bench, running, progress)) });
      } finally {
        await running.stop();
      }
    }
  return resultOf(stands, bench);
}

async function measureOne(
  bench: Bench,
  { process, tokens, roomIds, roomNames, tinyNames, build }: SearchedRoomful,
  progress: (text: string) => void,
): Promise<Pick<Stand, 'build' | 'searched' | 'alone' | 'beside'>> {
  const { rounds } = bench.options;
  const [reader = '', ...speakers] = tokens;
  const places = { room: roomNames[0] ?? '', tiny: tinyNames, author: 'bench-3' };
  const kinds = kindsOf(new Texts(SEED), places);
  const search = (searches: number, first: number) =>
    searchAtRate({
      ...{ port: process.port, token: reader, kinds, searches, first },
      perSecond: SEARCHES_PER_SECOND,
    });
  const load = new Load(1, bench.cores.load);
  const searched: Searched[] = [];
  const [alone, beside]: [number[][], number[][]] = [[], []];
  try {
    const doors = roomIds
      .slice(0, TALK_ROOMS)
      .map((roomId, index) => lineDoorTo(process.port, roomId, speakers[index % speakers.length] ?? ''));
    await load.open(planSenders(doors, SENDERS_PER_ROOM), 1);
    const timed = async (meanwhile: () => Promise<unknown>) => {
      await load.flow(MESSAGES_PER_SECOND);
      await sleep(WARM_UP_MS);
      await load.flowCounts(true);
      await meanwhile();
      await load.flowCounts(false);
      await load.flow(0);
      return Array.from((await load.halt()).answer);
    };
    await timed(() => search(2, 0));
    for (let round = 1; round <= rounds; round++) {
      alone.push(await timed(() => sleep(ALONE_MS)));
      beside.push(await timed(async () => searched.push(...(await search(SEARCHES, round * SEARCHES)))));
      const worst = Math.max(...searched.map(({ ms }) => ms));
      progress(`search: round ${round}, the slowest answer so far took ${decimal(worst)} ms`);
    }
  } finally {
    await load.stop();
  }
  return { build, searched, alone, beside };
}

function resultOf(stands: Stand[], { options }: Bench): Result {
  const databases = [...new Set(stands.map(({ database }) => database))];
  const [first, ...others] = databases.map((database) => {
    const own = stands.filter((stand) => stand.database === database);
    return { note: `${NAME[database]}:`, table: kindsTable(own) };
  });
  return {
    title: 'Search',
    note:
      `${count(options.messages)} messages in ${options.searchRooms.join(', ')} rooms, all of which the reader is in: ` +
      `${SEARCHES_PER_SECOND} searches a second for 20 results, each kind in turn, while ${MESSAGES_PER_SECOND} messages a ` +
      'second are posted. A search is timed from the moment at which it was due. Partial: answers with `is_complete` ' +
      `false. ${first?.note ?? ''}`,
    table: first?.table ?? { head: [], rows: [] },
    more: [
      ...others,
      {
        note: `${MESSAGES_PER_SECOND} messages a second, in turns alone and beside the searches:`,
        table: talkTable(stands),
      },
      { note: 'The first build of the index, while nobody talks:', table: buildTable(stands) },
    ],
    data: stands,
  };
}

function kindsTable(stands: readonly Stand[]): Table {
  const kinds = [...new Set(stands.flatMap(({ searched }) => searched.map(({ kind }) => kind)))];
  return {
    head: [
      'search',
      ...stands.flatMap(({ rooms }) => [`${rooms} rooms: results`, 'p50 ms', 'p99 ms', 'partial']),
    ],
    rows: kinds.map((kind) => [
      kind,
      ...stands.flatMap(({ searched }) => {
        const own = searched.filter((one) => one.kind === kind);
        const ms = own.map((one) => one.ms);
        return [
          count(own.reduce((sum, { results }) => sum + results, 0) / own.length),
          ...[decimal(percentile(ms, 0.5)), decimal(percentile(ms, 0.99))],
          percent(own.filter(({ isPartial }) => isPartial).length / own.length),
        ];
      }),
    ]),
  };
}

function talkTable(stands: readonly Stand[]): Table {
  return {
    head: [
      'database',
      'rooms',
      'acks',
      'p50 ms alone',
      'beside',
      'p99 ms alone',
      'beside',
      '× p99',
      '× p99 of the rounds',
    ],
    rows: stands.map((stand) => {
      const [alone, beside] = [stand.alone.flat(), stand.beside.flat()];
      const rounds = stand.beside.map(
        (one, round) => percentile(one, 0.99) / percentile(stand.alone[round] ?? [], 0.99),
      );
      return [
        ...[NAME[stand.database], String(stand.rooms), count(alone.length + beside.length)],
        ...[decimal(percentile(alone, 0.5)), decimal(percentile(beside, 0.5))],
        ...[decimal(percentile(alone, 0.99)), decimal(percentile(beside, 0.99))],
        ...[decimal(percentile(beside, 0.99) / percentile(alone, 0.99)), rounds.map(decimal).join(' ')],
      ];
    }),
  };
}

function buildTable(stands: readonly Stand[]): Table {
  return {
    head: ['database', 'rooms', 'messages', 'seconds', 'µs a message', 'CPU µs a message', 'index MiB'],
    rows: stands.map(({ database, rooms, messages, build }) => [
      ...[NAME[database], String(rooms), count(messages), decimal(build.seconds)],
      ...[decimal((build.seconds * 1e6) / messages), decimal((build.cpuSeconds * 1e6) / messages)],
      count(build.indexBytes / MIB),
    ]),
  };
}
