/** Fairness: what one user, who reads large pages over many connections, costs the others. */
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_PREFIX } from '../../protocol/constants.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { serverOptions } from '../contenders/contenders.ts';
import {
  lineDoorTo,
  makeDataDir,
  ROOMFUL_SETTINGS,
  roomful,
  signUpUsers,
  startRoomful,
} from '../contenders/roomful.ts';
import { insertMembers, insertRooms, restartConsumers, withDatabase } from '../database.ts';
import { Load } from '../load/load.ts';
import { planSenders } from '../load/plan.ts';
import { type Pulled, PullerProcess, type PullPlan } from '../load/puller.ts';
import { fetchTicket } from '../load/ticket.ts';
import { percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

/** Rooms with large pages, which the user reads. The talk of the others is in other rooms. */
const LARGE_ROOMS = 16;
const TALK_ROOMS = 10;
const SENDERS_PER_ROOM = 2;
const MESSAGES_PER_SECOND = 200;
const CONNECTIONS = [16, 60, 150];
const OFFICE = 150;
/** A JSON page of 200 of them has 1 MiB. */
const LARGE_TEXT = `${'a long text of many letters '.repeat(92)}${'"'.repeat(1300)}`;
const WARM_UP_MS = 3000;
const PROBE_EVERY_MS = 200;
/** All limits are the default ones. */
const SETTINGS = {
  ...ROOMFUL_SETTINGS,
  ...{ RATE_LIMIT_PER_SECOND: '', OVERLOAD_DELAY_MS: '', OVERLOAD_MEMORY_MB: '' },
  ...{ SOCKETS_PER_USER: '', SOCKETS_PER_ADDRESS: '' },
};
/** The others are at 127.0.0.1. */
const PULLER_FROM = '127.0.0.2';

interface Row {
  what: string;
  pulled: Pulled;
  seconds: number;
  ackMs: { p50: number; p99: number };
  serverCpu: number;
  /** Of the requests for a ticket, which an overload refuses. */
  probes: number;
  refusedProbes: number;
}

interface Stage {
  bench: Bench;
  dataDir: string;
  tokens: string[];
}

export async function measureFairness(bench: Bench): Promise<Result> {
  const dataDir = await makeDataDir();
  try {
    const stage = { bench, dataDir, tokens: await prepare(bench, dataDir) };
    const rows = [await measureRow(stage, 'nobody', undefined)];
    for (const connections of CONNECTIONS)
      rows.push(await measureRow(stage, `one user, ${connections} connections`, pullOfOne(connections)));
    rows.push(await measureRow(stage, `${OFFICE} users of one address, a page each`, pullOfOffice));
    return {
      title: 'Fairness',
      note:
        `${TALK_ROOMS * SENDERS_PER_ROOM} people in ${TALK_ROOMS} rooms send ${MESSAGES_PER_SECOND} messages a second. ` +
        `Meanwhile somebody reads pages of 1 MiB of ${LARGE_ROOMS} other rooms from another address: one user who asks ` +
        'for the next page, or again after a refusal, at once; or everybody in an office, each a page, all at the same ' +
        'moment. All limits are the default ones. *Overload* counts the requests for a ticket that were refused.',
      table: {
        head: [
          ...[
            'who reads',
            'pages',
            'MiB/s',
            'slowest ms',
            'refused',
            'ack p50 ms',
            'p99 ms',
            '× p99',
            'server CPU',
          ],
          'overload',
        ],
        rows: rows.map((row) => toCells(row, rows[0]?.ackMs.p99 ?? Number.NaN)),
      },
      data: rows,
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function toCells(row: Row, usualP99: number): string[] {
  const { what, pulled, seconds, ackMs, serverCpu, probes, refusedProbes } = row;
  return [
    ...[what, count(pulled.pages), decimal(pulled.bytes / 1024 / 1024 / seconds), count(pulled.slowestMs)],
    ...[count(pulled.refused), decimal(ackMs.p50), decimal(ackMs.p99), decimal(ackMs.p99 / usualP99)],
    ...[serverCpu.toFixed(2), `${refusedProbes} of ${probes}`],
  ];
}

/** Makes users and rooms, and the large messages; returns the users' tokens. */
async function prepare(bench: Bench, dataDir: string): Promise<string[]> {
  bench.progress(`fairness: ${OFFICE} people sign up`);
  const server = await startRoomful(dataDir, { cores: bench.cores.all, nodeArgs: [] }, ROOMFUL_SETTINGS);
  const tokens = await signUpUsers(server.port, OFFICE);
  await server.stop();
  withDatabase(dataDir, (sqlite) => {
    const rooms = insertRooms(sqlite, 1, LARGE_ROOMS + TALK_ROOMS);
    insertMembers(sqlite, rooms, 0);
    insertLarge(sqlite, rooms.slice(0, LARGE_ROOMS));
    restartConsumers(sqlite, dataDir);
  });
  return tokens;
}

function insertLarge(sqlite: Sqlite, rooms: readonly number[]): void {
  const insert = sqlite.prepare(
    `INSERT INTO messages (room_id, seq, changed_seq, user_id, content, created_at) VALUES (?, ?, ?, 1, ?, 0)`,
  );
  sqlite.exec('BEGIN');
  for (const room of rooms) for (let seq = 1; seq <= 200; seq++) insert.run(room, seq, seq, LARGE_TEXT);
  sqlite.exec('UPDATE rooms SET seq = (SELECT coalesce(max(seq), 0) FROM messages WHERE room_id = rooms.id)');
  sqlite.exec('COMMIT');
}

type MakePull = (stage: Stage) => Omit<PullPlan, 'port' | 'from' | 'paths'>;

function pullOfOne(connections: number): MakePull {
  return ({ tokens }) => ({ connections, tokens: tokens.slice(-1) });
}

function pullOfOffice({ tokens }: Stage): ReturnType<MakePull> {
  return { connections: OFFICE, tokens, pagesEach: 1 };
}

async function measureRow(stage: Stage, what: string, makePull: MakePull | undefined): Promise<Row> {
  const { bench, dataDir, tokens } = stage;
  const seconds = bench.options.seconds * bench.options.rounds;
  const server = await startRoomful(dataDir, serverOptions(roomful, bench), SETTINGS);
  const load = new Load(1, bench.cores.load);
  let puller: PullerProcess | undefined;
  try {
    bench.progress(`fairness: ${what}`);
    const doors = Array.from({ length: TALK_ROOMS }, (_, index) =>
      lineDoorTo(server.port, LARGE_ROOMS + 1 + index, tokens[index] ?? ''),
    );
    await load.open(planSenders(doors, SENDERS_PER_ROOM), 1);
    await load.flow(MESSAGES_PER_SECOND);
    await sleep(WARM_UP_MS);
    const paths = Array.from(
      { length: LARGE_ROOMS },
      (_, index) => `${API_PREFIX}/rooms/${index + 1}/messages?limit=200`,
    );
    const [ticket] = doors.map(({ port, ticket }) => ticket && { port, ...ticket });
    const cpuFrom = server.cpuSeconds();
    await load.flowCounts(true);
    if (makePull)
      puller = new PullerProcess(bench.cores.load, {
        ...{ port: server.port, from: PULLER_FROM, paths },
        ...makePull(stage),
      });
    let [probes, refusedProbes] = [0, 0];
    for (const end = performance.now() + seconds * 1000; performance.now() < end; probes++) {
      await sleep(PROBE_EVERY_MS);
      if (ticket) await fetchTicket(ticket.port, ticket).catch(() => refusedProbes++);
    }
    const pulled = (await puller?.read()) ?? { pages: 0, refused: 0, bytes: 0, slowestMs: 0 };
    await load.flow(0);
    const { answer } = await load.halt();
    const serverCpu = (server.cpuSeconds() - cpuFrom) / seconds;
    const ackMs = { p50: percentile(answer, 0.5), p99: percentile(answer, 0.99) };
    return { what, pulled, seconds, ackMs, serverCpu, probes, refusedProbes };
  } finally {
    await puller?.stop();
    await load.stop();
    await server.stop();
  }
}
