/**
 * G1: the data of a server in use moves to PostgreSQL, by copies that are killed at random moments before and after the
 * server stops. Its members stay, and go on with the server on PostgreSQL from where they were.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tokensSchema } from '../../protocol/rest/accounts.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import { withSource } from '../postgres/filled-source.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post } from '../support/http.ts';
import { PostgresServer } from '../support/postgres.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { ServerProcess } from '../support/server-process.ts';
import { CopyProcess } from './copy-process.ts';
import { fillRooms } from './copy-rooms.ts';
import { Traffic, takeSeats } from './traffic.ts';
import type { Finding } from './trial.ts';

const PATIENCE_MS = 600_000;

export interface CopyTrial {
  /** That are there before. */
  messages: number;
  /** While the server runs, and again after it has stopped. */
  kills: number;
  people: number;
}

interface Running {
  dataDir: string;
  url: string;
  random: Random;
  kills: number;
}

export async function copyInUse(seed: number, { messages, kills, people }: CopyTrial): Promise<Finding> {
  const random = seededRandom(seed);
  await using postgres = await PostgresServer.start();
  const url = await postgres.createDatabase();
  // An empty address counts as not set: SQLite, whatever TEST_STORE says.
  const env = { DATABASE_URL: '', MESSAGES_PER_SECOND: '0', ACCESS_TOKEN_TTL_S: '86400' };
  await using server = await ServerProcess.start({ env });
  const dataDir = join(server.dataDir, 'data');
  const seats = await takeSeats(server, { people, rooms: 3, roomsEach: 2 });
  await server.stop();
  withSource(dataDir, (sqlite) => fillRooms(sqlite, messages, random));
  const { tookMs, says } = await timeWhole(dataDir, await postgres.createDatabase());
  await server.restart();

  const traffic = new Traffic({
    target: server,
    random,
    seats,
    window: 2,
    talkers: 4,
    patienceMs: PATIENCE_MS,
  });
  await traffic.everybodyIn();
  const running = { dataDir, url, random, kills };
  await killCopies(running, tookMs);
  const stoppedAt = await stopDuringCopy(server, running);
  await killCopies(running, tookMs);
  await finish(running);
  assert.deepEqual(await digestsOfTarget(postgres, url), withSource(dataDir, digestsOfSource));

  const secret = (await readFile(join(dataDir, 'jwt-secret'), 'utf8')).trim();
  await server.restart({ DATABASE_URL: url, JWT_SECRET: secret });
  const awayMs = Math.round(performance.now() - stoppedAt);
  await traffic.everybodyIn();
  await traffic.acks(people);
  const report = await traffic.finish();
  const refresh_token = seats[0]?.login.refreshToken;
  expectReply(await post(server, '/api/v1/auth/refresh', { refresh_token }), 200, tokensSchema);
  return {
    report,
    figures: { messages, kills: 2 * kills, 'copy without a kill ms': tookMs, ...says, 'away ms': awayMs },
  };
}

/** Of another copy of the same data, without a kill: how long it takes from its start to its end. */
async function timeWhole(
  dataDir: string,
  url: string,
): Promise<{ tookMs: number; says: Finding['figures'] }> {
  const other = `${dataDir}-other`;
  await cp(dataDir, other, { recursive: true });
  const startedAt = performance.now();
  const copy = new CopyProcess(other, url);
  assert.equal(await copy.ended, 0, copy.stderr);
  await rm(other, { recursive: true });
  const tookMs = Math.round(performance.now() - startedAt);
  const [standstill = '', comparison = ''] = copy.stdout.match(/\d+\.\d s/g) ?? [];
  return { tookMs, says: { 'of it after the stop': standstill, 'and comparing': comparison } };
}

async function killCopies({ dataDir, url, random, kills }: Running, withinMs: number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const copy = new CopyProcess(dataDir, url);
    await Promise.race([sleep(random.integer(0, withinMs)), copy.ended]);
    copy.kill();
    const code = await copy.ended;
    assert(code === null || code === 0, copy.stderr);
  }
}

/** Stops the server when the copy says so, and kills the copy at some moment after; returns the time of the stop. */
async function stopDuringCopy(server: ServerProcess, { dataDir, url, random }: Running): Promise<number> {
  const copy = new CopyProcess(dataDir, url);
  await eventually(
    'the copy waits for the end of the server',
    () => {
      assert.equal(copy.isRunning, true, copy.stderr);
      return copy.stderr.includes('Now stop the server') ? true : undefined;
    },
    PATIENCE_MS,
  );
  const stoppedAt = performance.now();
  await server.stop();
  await sleep(random.integer(0, 2000));
  copy.kill();
  await copy.ended;
  return stoppedAt;
}

async function finish({ dataDir, url }: Running): Promise<void> {
  const copy = new CopyProcess(dataDir, url);
  assert.equal(await copy.ended, 0, copy.stderr);
}

const FIELDS = ['id', 'seq', 'changed_seq', 'number', 'user_id', 'cid', 'content', 'created_at'];

/** Of each room's messages, by other means than the copy's own comparison. */
function digestsOfSource(sqlite: Sqlite): Record<string, string>[] {
  const rooms = sqlite.prepare<[], { id: number }>('SELECT DISTINCT room_id AS id FROM messages ORDER BY id');
  const rows = sqlite.prepare<[number], Record<string, string | number | null>>(
    `SELECT ${FIELDS} FROM messages WHERE room_id = ? ORDER BY id`,
  );
  return rooms.all().map(({ id }) => {
    const lines = rows.all(id).map((row) => FIELDS.map((field) => row[field] ?? '-').join('|'));
    return { room: String(id), digest: createHash('md5').update(lines.join('\n')).digest('hex') };
  });
}

async function digestsOfTarget(postgres: PostgresServer, url: string): Promise<unknown[]> {
  const line = FIELDS.map((field) => `coalesce(${field}::text, '-')`).join(" || '|' || ");
  return await postgres.run(
    `SELECT room_id AS room, md5(string_agg(${line}, E'\\n' ORDER BY id)) AS digest
     FROM messages GROUP BY room_id ORDER BY room_id`,
    url,
  );
}
