/** History: how long a page takes when the database is large. */
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openForWriting } from '../../server/storage/sqlite/database.ts';
import type { Sqlite } from '../../server/storage/sqlite/driver/driver.ts';
import { serverOptions } from '../contenders/contenders.ts';
import { makeDataDir, ROOMFUL_SETTINGS, roomful, signUpUsers, startRoomful } from '../contenders/roomful.ts';
import { insertMessages, insertRooms } from '../database.ts';
import { percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { requestAtRate } from './request-at-rate.ts';

const ROOMS = 100;
const PAGE = 50;
const REQUESTS_PER_SECOND = 300;
/** The first user, and the first rooms, of a new database. */
const USER_ID = 1;
const FILL_STEP = 1_000_000;

interface Row {
  messages: number;
  fillSeconds: number;
  latencies: number[];
  serverCpu: number;
}

export async function measureHistory(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  const rows: Row[] = [];
  try {
    const token = await signUp(bench, dataDir);
    // One database that grows: most of the time goes into filling it.
    for (const messages of [...bench.options.history].sort((a, b) => a - b)) {
      rows.push(await measureSize(bench, dataDir, token, messages));
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    title: 'History',
    note:
      `${REQUESTS_PER_SECOND} requests per second for pages of ${PAGE} before random messages of ${ROOMS} rooms, ` +
      'after a warm-up of one second. A request is timed from the moment at which it was due, so a stall counts for ' +
      'every request that waited.',
    table: {
      head: ['messages', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'server CPU'],
      rows: rows.map(({ messages, latencies, serverCpu }) => [
        count(messages),
        count(latencies.length),
        decimal(percentile(latencies, 0.5)),
        decimal(percentile(latencies, 0.99)),
        decimal(percentile(latencies, 1)),
        percent(serverCpu),
      ]),
    },
    data: rows,
  };
}

/** Lets the server create its tables and a user; returns the user's token. Rooms and messages are written directly. */
async function signUp(bench: Bench, dataDir: string): Promise<string> {
  const server = await startRoomful(dataDir, { cores: bench.cores.server, nodeArgs: [] }, ROOMFUL_SETTINGS);
  const [token = ''] = await signUpUsers(server.port, 1);
  await server.stop();
  withDatabase(dataDir, (sqlite) => insertRooms(sqlite, USER_ID, ROOMS));
  return token;
}

async function measureSize(bench: Bench, dataDir: string, token: string, messages: number): Promise<Row> {
  const { progress, options } = bench;
  const fillSeconds = withDatabase(dataDir, (sqlite) => fill(sqlite, messages, progress));
  const server = await startRoomful(dataDir, serverOptions(roomful, bench), ROOMFUL_SETTINGS);
  try {
    await requestPages(server.port, token, messages, 1);
    progress(`history: pages of ${messages} messages are being read`);
    const cpuFrom = server.cpuSeconds();
    const seconds = options.seconds * options.rounds;
    const latencies = await requestPages(server.port, token, messages, seconds);
    const serverCpu = (server.cpuSeconds() - cpuFrom) / seconds;
    return { messages, fillSeconds, latencies, serverCpu };
  } finally {
    await server.stop();
  }
}

/**
 * Nothing is synced before the end; then all is, so that the system does not write gigabytes back while pages are read.
 */
function withDatabase<T>(dataDir: string, use: (sqlite: Sqlite) => T): T {
  const path = join(dataDir, 'roomful.db');
  const sqlite = openForWriting(path);
  try {
    sqlite.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -512000');
    return use(sqlite);
  } finally {
    sqlite.close();
    const file = openSync(path, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/** Adds messages until there are `messages`; returns the seconds that it took. */
function fill(sqlite: Sqlite, messages: number, progress: (text: string) => void): number {
  const startedAt = performance.now();
  const there = sqlite.prepare<[], { count: number }>('SELECT coalesce(max(id), 0) AS count FROM messages');
  const rooms = Array.from({ length: ROOMS }, (_, index) => index + 1);
  for (let from = there.get()?.count ?? 0; from < messages; ) {
    const to = Math.min(messages, from + FILL_STEP);
    insertMessages(sqlite, { userId: USER_ID, rooms, from, to });
    from = to;
    progress(`history: ${count(to)} of ${count(messages)} messages written`);
  }
  return (performance.now() - startedAt) / 1000;
}

function requestPages(port: number, token: string, messages: number, seconds: number): Promise<number[]> {
  return requestAtRate({
    port,
    token,
    perSecond: REQUESTS_PER_SECOND,
    seconds,
    path: () => {
      const room = 1 + Math.floor(Math.random() * ROOMS);
      const beforeId = 1 + Math.floor(Math.random() * messages);
      return `/api/v1/rooms/${room}/messages?limit=${PAGE}&before_id=${beforeId}`;
    },
  });
}
