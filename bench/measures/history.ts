/** History: how long a page takes when the database is large. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { ServerOptions } from '../contenders/contender.ts';
import { makeDataDir, ROOMFUL_SETTINGS, signUpUsers, startRoomful } from '../contenders/roomful.ts';
import { insertMessages, insertRooms } from '../database.ts';
import { percentile } from '../statistics.ts';
import { count, decimal, percent } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { requestAtRate } from './request-at-rate.ts';

const ROOMS = 100;
const PAGE = 50;
const REQUESTS_PER_SECOND = 300;

export async function measureHistory(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  const options = { cores: bench.cores.server, nodeArgs: [] };
  const messages = bench.options.history;
  try {
    bench.progress(`history: ${messages} messages are written`);
    const token = await fillDatabase(dataDir, messages, options);
    const server = await startRoomful(dataDir, options, ROOMFUL_SETTINGS);
    await requestPages(server.port, token, messages, 1);
    bench.progress('history: pages are read');
    const cpuFrom = server.cpuSeconds();
    const seconds = bench.options.seconds * bench.options.rounds;
    const latencies = await requestPages(server.port, token, messages, seconds);
    const cpu = (server.cpuSeconds() - cpuFrom) / seconds;
    await server.stop();
    return {
      title: 'History',
      note:
        `${REQUESTS_PER_SECOND} requests a second for pages of ${PAGE} before random messages of ${ROOMS} rooms. A request's time ` +
        'runs from when it was due, so a stall counts for all that had to wait.',
      table: {
        head: ['messages', 'requests', 'p50 ms', 'p99 ms', 'max ms', 'server CPU'],
        rows: [
          [
            count(messages),
            count(latencies.length),
            decimal(percentile(latencies, 0.5)),
            decimal(percentile(latencies, 0.99)),
            decimal(percentile(latencies, 1)),
            percent(cpu),
          ],
        ],
      },
      data: { messages, latencies },
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The server makes its tables and a user, whose token is returned; the messages are written past it. */
async function fillDatabase(dataDir: string, messages: number, options: ServerOptions): Promise<string> {
  const server = await startRoomful(dataDir, options, ROOMFUL_SETTINGS);
  const [token = ''] = await signUpUsers(server.port, 1);
  await server.stop();
  const sqlite = new Database(join(dataDir, 'roomful.db'));
  sqlite.pragma('synchronous = OFF');
  sqlite.pragma('cache_size = -512000');
  const userId = 1;
  insertMessages(sqlite, { userId, rooms: insertRooms(sqlite, userId, ROOMS), count: messages });
  sqlite.close();
  return token;
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
