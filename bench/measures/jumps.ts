/** Permalinks and dates: how long the page around a place takes, wherever it is. */
import { rm } from 'node:fs/promises';
import { serverOptions } from '../contenders/contenders.ts';
import { makeDataDir, ROOMFUL_SETTINGS, roomful, signUpUsers, startRoomful } from '../contenders/roomful.ts';
import { insertMessages, insertRooms, restartConsumers, withDatabase } from '../database.ts';
import { percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';
import { requestAtRate } from './request-at-rate.ts';

const REQUESTS_PER_SECOND = 50;
const PAGE = 50;
/** How far back the jumps lead, and how many replies the thread has. */
const BACK = 100_000;
/** Of the main flow before and after the thread. */
const BESIDE_THREAD = 1000;
/** The owner of the rooms, and the rooms of a new database. Another user reads. */
const OWNER_ID = 1;
const [FLOW, WITH_THREAD, HIDDEN, ABSENT] = [1, 2, 3, 1_000_000];

interface Jump {
  what: string;
  status: 200 | 404;
  path(): string;
}

interface Row {
  what: string;
  status: number;
  latencies: number[];
}

export async function measureJumps(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  const rows: Row[] = [];
  try {
    const token = await furnish(bench, dataDir);
    const server = await startRoomful(dataDir, serverOptions(roomful, bench), ROOMFUL_SETTINGS);
    try {
      for (const { what, status, path } of jumps()) {
        const load = { port: server.port, token, perSecond: REQUESTS_PER_SECOND, status, path };
        await requestAtRate({ ...load, seconds: 1 });
        bench.progress(`jumps: ${what}`);
        rows.push({
          what,
          status,
          latencies: await requestAtRate({ ...load, seconds: bench.options.seconds }),
        });
      }
    } finally {
      await server.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return {
    title: 'Jumps',
    note:
      `${REQUESTS_PER_SECOND} requests per second for the ${PAGE} messages around a place, after a warm-up of one ` +
      `second. The room has ${count(2 * BACK)} messages, another one a thread of ${count(BACK)} replies, and the hidden ` +
      `room has ${count(BACK)}. A request is timed from the moment at which it was due.`,
    table: {
      head: ['jump to', 'status', 'requests', 'p50 ms', 'p99 ms', 'max ms'],
      rows: rows.map(({ what, status, latencies }) => [
        what,
        String(status),
        count(latencies.length),
        decimal(percentile(latencies, 0.5)),
        decimal(percentile(latencies, 0.99)),
        decimal(percentile(latencies, 1)),
      ]),
    },
    data: rows,
  };
}

/** Makes the rooms; returns the token of a user who may read all but the hidden one. */
async function furnish(bench: Bench, dataDir: string): Promise<string> {
  const server = await startRoomful(dataDir, { cores: bench.cores.server, nodeArgs: [] }, ROOMFUL_SETTINGS);
  const [, token = ''] = await signUpUsers(server.port, 2);
  await server.stop();
  withDatabase(dataDir, (sqlite) => {
    insertRooms(sqlite, OWNER_ID, 3);
    for (const [roomId, to] of [
      [FLOW, 2 * BACK],
      [WITH_THREAD, BACK + 2 * BESIDE_THREAD],
      [HIDDEN, BACK],
    ] as const)
      insertMessages(sqlite, { userId: OWNER_ID, rooms: [roomId], from: 0, to });
    const root = firstIdOf(WITH_THREAD) + BESIDE_THREAD - 1;
    sqlite
      .prepare('UPDATE messages SET thread_id = ? WHERE room_id = ? AND id > ? AND id <= ?')
      .run(root, WITH_THREAD, root, root + BACK);
    const deletion = "content = '', deleted_at = 1, deleted_by = user_id";
    sqlite.exec(`UPDATE messages SET ${deletion} WHERE room_id = ${FLOW} AND seq % 10 = 0`);
    sqlite.exec(`UPDATE rooms SET kind = 'private' WHERE id = ${HIDDEN}`);
    restartConsumers(sqlite, dataDir);
  });
  return token;
}

/** The rooms were filled one after the other. */
function firstIdOf(roomId: number): number {
  const before = { [FLOW]: 0, [WITH_THREAD]: 2 * BACK, [HIDDEN]: 3 * BACK + 2 * BESIDE_THREAD };
  return 1 + (before[roomId] ?? 0);
}

function jumps(): Jump[] {
  const around = (roomId: number, place: string) =>
    `/api/v1/rooms/${roomId}/messages?view=flow&limit=${PAGE}&${place}`;
  /** Places in the last thousand before `BACK`, each tenth of which was deleted. */
  const back = (isDeleted: boolean) => BACK - 10 * Math.floor(Math.random() * 100) - (isDeleted ? 0 : 5);
  const byId = (roomId: number, seq: () => number) => () =>
    around(roomId, `around_id=${firstIdOf(roomId) + seq() - 1}`);
  const inThread = () => BESIDE_THREAD + 1 + Math.floor(Math.random() * BACK);
  const afterThread = () => BESIDE_THREAD + BACK + 1;
  const time = () => around(FLOW, `around_time=${new Date((back(false) - 1) * 1000).toISOString()}`);
  const far = `${count(BACK)} back`;
  return [
    { what: `a message ${far}, by id`, status: 200, path: byId(FLOW, () => back(false)) },
    { what: `the same by time`, status: 200, path: time },
    { what: `a deleted message ${far}`, status: 200, path: byId(FLOW, () => back(true)) },
    { what: `a reply of a thread of ${count(BACK)}`, status: 200, path: byId(WITH_THREAD, inThread) },
    { what: 'the message after that thread', status: 200, path: byId(WITH_THREAD, afterThread) },
    { what: 'a message of a hidden room', status: 404, path: byId(HIDDEN, () => back(false)) },
    { what: 'a room that is not there', status: 404, path: () => around(ABSENT, 'around_id=1') },
  ];
}
