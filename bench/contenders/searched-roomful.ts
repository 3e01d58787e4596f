/** Roomful on either database with many messages, which are written directly, and an index that it builds of them. */
import { randomBytes } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { PostgresServer } from '../../tests/support/postgres.ts';
import { withDatabase } from '../database.ts';
import { searchOnce } from '../measures/search-load.ts';
import { cpuSecondsOfTree } from '../pinned-process.ts';
import type { Texts } from '../search-texts.ts';
import { count } from '../table.ts';
import type { ServerOptions } from './contender.ts';
import { createRoom, makeDataDir, ROOMFUL_SETTINGS, signUpUsers, startRoomful } from './roomful.ts';
import type { SearchDatabase } from './search-databases.ts';
import type { ServerProcess } from './server-process.ts';

const USERS = 10;
const TINY_ROOMS = 3;
/** Every 20 000th message goes to a tiny room. */
const TINY_EVERY = 20_000;
const STEP = 20_000;
const FIRST_ID = 1_000_000;
const FIRST_SEQ = 1000;
const SECOND_MS = 1000;

export interface Filling {
  database: SearchDatabase;
  rooms: number;
  messages: number;
  texts: Texts;
  options: ServerOptions;
  progress(text: string): void;
}

export interface Build {
  seconds: number;
  /** Of the server, and of PostgreSQL where it is one. */
  cpuSeconds: number;
  indexBytes: number;
}

export interface SearchedRoomful {
  process: ServerProcess;
  /** Everybody is in all rooms. */
  tokens: string[];
  roomIds: number[];
  roomNames: string[];
  tinyNames: string[];
  build: Build;
  stop(): Promise<void>;
}

/** Where the messages are written. */
interface Base {
  settings: Record<string, string>;
  /** Writes some rows; they have ids that follow each other. */
  write(rows: readonly Row[]): Promise<void>;
  run(statements: readonly string[]): Promise<void>;
  /** Nothing of an index is left. */
  forgetIndex(): Promise<void>;
  indexBytes(): Promise<number>;
  cpuSeconds(): number;
  stop(): Promise<void>;
}

interface Row {
  id: number;
  roomId: number;
  seq: number;
  userId: number;
  content: string;
  at: number;
}

export async function startSearchedRoomful(filling: Filling): Promise<SearchedRoomful> {
  const dataDir = await makeDataDir();
  const base = filling.database === 'sqlite' ? onSqlite(dataDir) : await onPostgres();
  const settings = { ...ROOMFUL_SETTINGS, ...base.settings };
  const first = await startRoomful(dataDir, { ...filling.options, nodeArgs: [] }, settings);
  const tokens = await signUpUsers(first.port, USERS);
  const names = (what: string, many: number) => Array.from({ length: many }, (_, at) => `${what} ${at + 1}`);
  const [roomNames, tinyNames] = [names('bench', filling.rooms), names('tiny', TINY_ROOMS)];
  const ids: number[] = [];
  for (const name of [...roomNames, ...tinyNames])
    ids.push(await createRoom(first.port, tokens[0] ?? '', name));
  await first.stop();
  await fill(base, filling, ids);
  await base.forgetIndex();
  const process = await startRoomful(dataDir, filling.options, settings);
  const build = await whenBuilt({ base, process, filling, token: tokens[0] ?? '' });
  return {
    ...{ process, tokens, roomIds: ids.slice(0, filling.rooms), roomNames, tinyNames, build },
    async stop() {
      await process.stop();
      await base.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function fill(base: Base, { rooms, messages, texts, progress }: Filling, ids: number[]): Promise<void> {
  const seqs = new Map(ids.map((id) => [id, FIRST_SEQ]));
  const from = Date.now() - messages * SECOND_MS;
  for (let done = 0; done < messages; ) {
    const rows = Array.from({ length: Math.min(STEP, messages - done) }, (): Row => {
      const number = done++;
      const isTiny = number % TINY_EVERY === 0;
      const at = isTiny ? rooms + ((number / TINY_EVERY) % TINY_ROOMS) : number % rooms;
      const roomId = ids[at] ?? 0;
      const seq = (seqs.get(roomId) ?? 0) + 1;
      seqs.set(roomId, seq);
      const [id, userId] = [FIRST_ID + number, 1 + (number % USERS)];
      return { id, roomId, seq, userId, content: texts.next(), at: from + number * SECOND_MS };
    });
    await base.write(rows);
    if (done % (messages / 10) < STEP) progress(`search: ${count(done)} messages were written`);
  }
  const all = 'SELECT rooms.id, users.id, 0, 0 FROM rooms, users WHERE true';
  await base.run([
    `INSERT INTO members (room_id, user_id, joined_at, user_seq) ${all} ON CONFLICT DO NOTHING`,
    `UPDATE rooms SET members = ${USERS}, seq = (SELECT coalesce(max(seq), 0) FROM messages WHERE room_id = rooms.id)`,
    'DELETE FROM followers',
    'DELETE FROM follower_leases',
  ]);
}

/** A first page says from when on messages are in the index. */
async function whenBuilt(of: {
  base: Base;
  process: ServerProcess;
  filling: Filling;
  token: string;
}): Promise<Build> {
  const { base, process, token, filling } = of;
  const from = performance.now();
  const cpuFrom = base.cpuSeconds();
  for (let look = 1; ; look++) {
    const { indexed_from } = await searchOnce({ port: process.port, token }, 'nothing');
    if (indexed_from === null) break;
    if (look % 20 === 0) filling.progress(`search: the index reaches back to ${indexed_from}`);
    await sleep(SECOND_MS / 4);
  }
  const seconds = (performance.now() - from) / SECOND_MS;
  const cpuSeconds = process.cpuSeconds() + base.cpuSeconds() - cpuFrom;
  return { seconds, cpuSeconds, indexBytes: await base.indexBytes() };
}

function onSqlite(dataDir: string): Base {
  const files = ['', '-wal', '-shm'].map((end) => join(dataDir, `search.db${end}`));
  return {
    settings: {},
    async write(rows) {
      withDatabase(dataDir, (sqlite) => {
        const insert = sqlite.prepare<(number | string)[], unknown>(
          `INSERT INTO messages (id, room_id, seq, changed_seq, user_id, content, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        );
        sqlite.exec('BEGIN');
        for (const { id, roomId, seq, userId, content, at } of rows)
          insert.run(id, roomId, seq, seq, userId, content, at);
        sqlite.exec('COMMIT');
      });
    },
    async run(statements) {
      withDatabase(dataDir, (sqlite) => sqlite.exec(statements.join(';')));
    },
    async forgetIndex() {
      await Promise.all(files.map((file) => rm(file, { force: true })));
    },
    async indexBytes() {
      const sizes = await Promise.all(
        files.map((file) =>
          stat(file).then(
            ({ size }) => size,
            () => 0,
          ),
        ),
      );
      return sizes.reduce((sum, size) => sum + size, 0);
    },
    cpuSeconds: () => 0,
    stop: async () => undefined,
  };
}

async function onPostgres(): Promise<Base> {
  const postgres = await PostgresServer.startOwn({ settings: { shared_buffers: '256MB' } });
  const url = await postgres.createDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    settings: { DATABASE_URL: url, JWT_SECRET: randomBytes(32).toString('hex') },
    async write(rows) {
      await client.query(
        `INSERT INTO messages (id, room_id, seq, changed_seq, number, user_id, content, created_at)
         SELECT id, room, seq, seq, seq, author, content, at
         FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[])
           AS rows (id, room, seq, author, content, at)`,
        [
          ...[rows.map(({ id }) => id), rows.map(({ roomId }) => roomId), rows.map(({ seq }) => seq)],
          ...[rows.map(({ userId }) => userId), rows.map(({ content }) => content), rows.map(({ at }) => at)],
        ],
      );
    },
    async run(statements) {
      for (const statement of [
        ...statements,
        'UPDATE rooms SET number = seq',
        "SELECT setval('message_ids', (SELECT max(id) FROM messages))",
      ])
        await client.query(statement);
    },
    async forgetIndex() {
      for (const statement of ['TRUNCATE search_texts, search_state', 'VACUUM ANALYZE', 'CHECKPOINT'])
        await client.query(statement);
    },
    async indexBytes() {
      const { rows } = await client.query("SELECT pg_total_relation_size('search_texts') AS bytes");
      return Number(rows[0]?.bytes);
    },
    cpuSeconds: () => cpuSecondsOfTree(postgres.pid),
    async stop() {
      await client.end();
      await postgres[Symbol.asyncDispose]();
    },
  };
}
