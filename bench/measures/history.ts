/** History: how long a page takes when the database is large. */
import { rm } from 'node:fs/promises';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { serverOptions } from '../contenders/contenders.ts';
import { makeDataDir, ROOMFUL_SETTINGS, roomful, signUpUsers, startRoomful } from '../contenders/roomful.ts';
import { CoreWaits, type Waited } from '../core-waits.ts';
import {
  addReactions,
  insertMembers,
  insertMessages,
  insertRooms,
  restartConsumers,
  withDatabase,
} from '../database.ts';
import { coreWaitSecondsOf } from '../pinned-process.ts';
import { percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { requestAtRate } from './request-at-rate.ts';

const ROOMS = 100;
const MEMBERS = 1000;
const PAGE = 50;
/** Pages of each room whose messages all have reactions. A read takes one message more than it shows. */
const REACTED_PAGES = 20;
/** Requests a second. A page with reactions has twelve times the bytes of a plain one. */
const RATES = { plain: 300, 'with reactions': 100 };
/** The first user, who has the token, and the first rooms of a new database. */
const USER_ID = 1;
const ROOM_IDS = Array.from({ length: ROOMS }, (_, index) => index + 1);
const FILL_STEP = 1_000_000;
/** Until V8 has compiled what a page takes. A server that has just started takes nearly twice as long for one. */
const WARM_UP_REQUESTS = 3000;

/** The path of the next request. */
type NextPath = () => string;

interface Row {
  messages: number;
  what: keyof typeof RATES;
  kilobytes: number;
  latencies: number[];
  serverCpu: number;
  serverWaited: Waited;
  loadWaited: Waited;
}

export async function measureHistory(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  const rows: Row[] = [];
  try {
    const token = await signUp(bench, dataDir);
    // One database that grows: most of the time goes into filling it.
    for (const messages of [...bench.options.history].sort((a, b) => a - b)) {
      rows.push(...(await measureSize(bench, dataDir, token, messages)));
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    title: 'History',
    note:
      `Pages of ${PAGE} of ${ROOMS} rooms of ${MEMBERS} members, after ${count(WARM_UP_REQUESTS)} that are not counted: ` +
      'before random messages that are plain, and pages whose messages all have 20 reactions by 20 people each, of ' +
      `which every room has ${REACTED_PAGES}. A request is timed from the moment at which it was due, so a stall counts ` +
      'for every request that waited. Waits are times in which a main thread was ready to run and had no core, the ' +
      "server's and that of the load: their share of the measurement, and the longest. Without other work on the " +
      'machine the load has hardly any, and the server only those behind its own threads.',
    table: {
      head: [
        'messages',
        'pages',
        'kB',
        'requests/s',
        'requests',
        'p50 ms',
        'p99 ms',
        'max ms',
        'server CPU',
        'server waits',
        'load waits',
      ],
      rows: rows.map(({ messages, what, kilobytes, latencies, serverCpu, serverWaited, loadWaited }) => [
        count(messages),
        what,
        count(kilobytes),
        String(RATES[what]),
        count(latencies.length),
        decimal(percentile(latencies, 0.5)),
        decimal(percentile(latencies, 0.99)),
        decimal(percentile(latencies, 1)),
        percent(serverCpu),
        waits(serverWaited),
        waits(loadWaited),
      ]),
    },
    data: rows,
  };
}

function waits({ share, longestMs }: Waited): string {
  return `${percent(share)}, ${count(longestMs)} ms`;
}

/** Lets the server create its tables and a user; returns the user's token. All else is written directly. */
async function signUp(bench: Bench, dataDir: string): Promise<string> {
  const server = await startRoomful(dataDir, { cores: bench.cores.server, nodeArgs: [] }, ROOMFUL_SETTINGS);
  const [token = ''] = await signUpUsers(server.port, 1);
  await server.stop();
  withDatabase(dataDir, (sqlite) => {
    insertRooms(sqlite, USER_ID, ROOMS);
    insertMembers(sqlite, ROOM_IDS, MEMBERS - 1);
  });
  return token;
}

/** Plain pages first, then pages with the reactions that are added for them and removed afterwards. */
async function measureSize(bench: Bench, dataDir: string, token: string, messages: number): Promise<Row[]> {
  withDatabase(dataDir, (sqlite) => {
    fill(sqlite, messages, bench.progress);
    restartConsumers(sqlite, dataDir);
  });
  const plain = await measurePages(bench, dataDir, {
    messages,
    what: 'plain',
    token,
    path: plainPage(messages),
  });
  withDatabase(dataDir, (sqlite) => addAllReactions(sqlite, messages));
  const path = reactedPage(messages);
  const reacted = await measurePages(bench, dataDir, { messages, what: 'with reactions', token, path });
  withDatabase(dataDir, removeReactions);
  return [plain, reacted];
}

interface Pages {
  messages: number;
  what: keyof typeof RATES;
  token: string;
  path: NextPath;
}

async function measurePages(
  bench: Bench,
  dataDir: string,
  { messages, what, token, path }: Pages,
): Promise<Row> {
  const { progress, options } = bench;
  const server = await startRoomful(dataDir, serverOptions(roomful, bench), ROOMFUL_SETTINGS);
  try {
    progress(`history: pages ${what} of ${count(messages)} messages are being read`);
    const load = { port: server.port, token, perSecond: RATES[what], path };
    await requestAtRate({ ...load, seconds: WARM_UP_REQUESTS / RATES[what] });
    const cpuFrom = server.cpuSeconds();
    const seconds = options.seconds * options.rounds;
    const waiting = [
      new CoreWaits(() => server.coreWaitSeconds()),
      new CoreWaits(() => coreWaitSecondsOf(process.pid)),
    ];
    const latencies = await requestAtRate({ ...load, seconds });
    const [serverWaited, loadWaited] = waiting.map((waits) => waits.stop()) as [Waited, Waited];
    const serverCpu = (server.cpuSeconds() - cpuFrom) / seconds;
    const kilobytes = Math.round((await sizeOf(server.port, token, path())) / 1000);
    return { messages, what, kilobytes, latencies, serverCpu, serverWaited, loadWaited };
  } finally {
    await server.stop();
  }
}

/** Adds messages until there are `messages`. */
function fill(sqlite: Sqlite, messages: number, progress: (text: string) => void): void {
  const there = sqlite.prepare<[], { count: number }>('SELECT coalesce(max(id), 0) AS count FROM messages');
  for (let from = there.get()?.count ?? 0; from < messages; ) {
    const to = Math.min(messages, from + FILL_STEP);
    insertMessages(sqlite, { userId: USER_ID, users: MEMBERS, rooms: ROOM_IDS, from, to });
    from = to;
    progress(`history: ${count(to)} of ${count(messages)} messages written`);
  }
}

function addAllReactions(sqlite: Sqlite, messages: number): void {
  sqlite.exec('BEGIN');
  for (const roomId of ROOM_IDS) {
    for (let page = 0; page < REACTED_PAGES; page++) {
      const to = lastOfPage(messages, page);
      addReactions(sqlite, { roomId, from: to - PAGE, to, firstUserId: USER_ID });
    }
  }
  sqlite.exec('COMMIT');
}

function removeReactions(sqlite: Sqlite): void {
  sqlite.exec('UPDATE messages SET extra = NULL WHERE extra IS NOT NULL');
}

/** The seq of its last message. The pages are spread over the whole room. */
function lastOfPage(messages: number, page: number): number {
  return Math.floor(((page + 1) * messages) / ROOMS / REACTED_PAGES) - 1;
}

function plainPage(messages: number): NextPath {
  return () => pathOf(1 + random(ROOMS), 1 + random(messages));
}

/** Messages are in the rooms in turn, so a room and a seq give the id. */
function reactedPage(messages: number): NextPath {
  return () => {
    const room = random(ROOMS);
    const seq = lastOfPage(messages, random(REACTED_PAGES)) + 1;
    return pathOf(1 + room, (seq - 1) * ROOMS + room + 1);
  };
}

function pathOf(roomId: number, beforeId: number): string {
  return `/api/v1/rooms/${roomId}/messages?view=flow&limit=${PAGE}&before_id=${beforeId}`;
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}

async function sizeOf(port: number, token: string, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return (await response.arrayBuffer()).byteLength;
}
