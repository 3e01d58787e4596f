/** Roomful as several processes on one PostgreSQL and one Redis, which it starts. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { INDEXER } from '../../server/data/storage/queries/consumers.ts';
import { PostgresServer } from '../../tests/support/postgres.ts';
import { RedisServer } from '../../tests/support/redis.ts';
import type { Door } from '../load/plan.ts';
import type { Bench } from '../measures/measure.ts';
import type { Options } from '../options.ts';
import { cpuSecondsOfTree } from '../pinned-process.ts';
import { serverOptions } from './contenders.ts';
import {
  lineDoorTo,
  mainOf,
  makeRoom,
  ROOMFUL_SETTINGS,
  roomful,
  signUpUsers,
  startRoomful,
} from './roomful.ts';
import type { ServerProcess } from './server-process.ts';

/** What each part has used so far. CPU times are in seconds. */
export interface Usage {
  processes: number;
  postgres: number;
  redis: number;
  /** Calls of the system by the processes. */
  reads: number;
  writes: number;
  /** Bytes of write-ahead log. */
  wal: number;
  /** Calls of append. */
  batches: number;
}

/** A Roomful to measure. */
export interface Build {
  name: string;
  /** The checkout of an older build; undefined: it is this build. */
  root?: string | undefined;
}

/** This build, and the older one if there is one. */
export function buildsOf({ before }: Options): Build[] {
  const now = { name: roomful.name };
  return before === undefined ? [now] : [now, { name: `${roomful.name} before`, root: before }];
}

/** Above what the server gives before. */
export const FIRST_ID = 1_000_000;
const FIRST_SEQ = 1000;
const INDEX_CHECK_MS = 100;
const INDEX_PATIENCE_MS = 120_000;

interface ClusterSize {
  /** Processes. */
  count: number;
  users: number;
}

export class Cluster {
  readonly #postgres: PostgresServer;
  readonly #redis: RedisServer;
  readonly #processes: readonly ServerProcess[];
  readonly #tokens: readonly string[];
  readonly #dataDir: string;
  readonly #database: string;

  private constructor(parts: {
    postgres: PostgresServer;
    redis: RedisServer;
    processes: readonly ServerProcess[];
    tokens: readonly string[];
    dataDir: string;
    database: string;
  }) {
    this.#postgres = parts.postgres;
    this.#redis = parts.redis;
    this.#processes = parts.processes;
    this.#tokens = parts.tokens;
    this.#dataDir = parts.dataDir;
    this.#database = parts.database;
  }

  /** Starts `count` processes of a build on empty services, with `users` users. */
  static async start(bench: Bench, { root }: Build, { count, users }: ClusterSize): Promise<Cluster> {
    // Of its own: the CPU time of a server that is shared is not known.
    const postgres = await PostgresServer.startOwn();
    const redis = await RedisServer.start();
    const dataDir = await mkdtemp(join(tmpdir(), 'roomful-bench-'));
    const database = await postgres.createDatabase();
    const settings = {
      ...ROOMFUL_SETTINGS,
      DATABASE_URL: database,
      REDIS_URL: redis.url,
      JWT_SECRET: randomBytes(32).toString('hex'),
    };
    const processes: ServerProcess[] = [];
    const nodeArgs = root === undefined ? serverOptions(roomful, bench).nodeArgs : [];
    while (processes.length < count)
      processes.push(await startRoomful(dataDir, { cores: null, nodeArgs }, settings, mainOf(root)));
    const tokens = await signUpUsers(processes[0]?.port ?? 0, users);
    return new Cluster({ postgres, redis, processes, tokens, dataDir, database });
  }

  /** A new room: a door to it through each process, all of one user. */
  async makeRoom(index: number): Promise<Door[]> {
    const token = this.#tokens[index % this.#tokens.length] ?? '';
    const roomId = await makeRoom(this.#processes[0]?.port ?? 0, [token], false);
    return this.#processes.map(({ port }) => lineDoorTo(port, roomId, token));
  }

  get ports(): number[] {
    return this.#processes.map(({ port }) => port);
  }

  /** Of the first user. */
  get token(): string {
    return this.#tokens[0] ?? '';
  }

  /** A new room of the first user: its id. */
  async makeEmptyRoom(): Promise<number> {
    return await makeRoom(this.#processes[0]?.port ?? 0, [this.token], false);
  }

  /** Writes the messages from number `from` to number `to` directly, to each room in turn, one a second. */
  async insertMessages(rooms: readonly number[], { from, to }: { from: number; to: number }): Promise<void> {
    const seq = `n / ${rooms.length} + ${FIRST_SEQ}`;
    await this.#postgres.run(
      `INSERT INTO messages (id, room_id, seq, changed_seq, number, user_id, created_at, content)
        SELECT n + ${FIRST_ID}, (ARRAY[${rooms.join()}])[n % ${rooms.length} + 1], ${seq}, ${seq}, ${seq},
          (SELECT min(id) FROM users), n::bigint * 1000,
          'message number ' || n || ' of a long, long talk about this and that'
        FROM generate_series(${from}, ${to - 1}) AS n`,
      this.#database,
    );
  }

  /**
   * After `insertMessages`: rooms know their heads, the consumers of their logs have nothing to do with what was inserted,
   * and the planner knows its tables. Nothing is left to be written.
   */
  async settle(): Promise<void> {
    const settled = `
      WITH head AS (SELECT room_id, max(seq) AS seq FROM messages GROUP BY room_id),
        grown AS (UPDATE rooms SET seq = head.seq, number = head.seq FROM head WHERE id = head.room_id)
      INSERT INTO followers (name, room_id, seq, changed_seq)
        SELECT name, room_id, seq, seq FROM head, (SELECT DISTINCT name FROM follower_leases) AS consumer
        ON CONFLICT (name, room_id) DO UPDATE SET seq = excluded.seq, changed_seq = excluded.changed_seq`;
    for (const statement of [settled, 'VACUUM ANALYZE', 'CHECKPOINT'])
      await this.#postgres.run(statement, this.#database);
  }

  /** Waits until the index of the search has all that was posted: what is left of one load is no part of the next. */
  async indexed(): Promise<void> {
    const behind = `
      SELECT count(*) AS rooms FROM rooms LEFT JOIN followers ON followers.room_id = rooms.id AND followers.name = '${INDEXER}'
      WHERE rooms.seq > coalesce(followers.seq, 0)`;
    for (let patience = INDEX_PATIENCE_MS; patience > 0; patience -= INDEX_CHECK_MS) {
      const [row] = await this.#postgres.run(behind, this.#database);
      if (Number(row?.rooms) === 0) return;
      await sleep(INDEX_CHECK_MS);
    }
    throw new Error('the index of the search does not come to the end of what was posted');
  }

  async usage(): Promise<Usage> {
    const [row] = await this.#postgres.run(
      `SELECT pg_current_wal_insert_lsn() - '0/0' AS wal, (SELECT sum(batch) FROM writers) AS batches`,
      this.#database,
    );
    return {
      processes: this.#processes.reduce((sum, process) => sum + process.cpuSeconds(), 0),
      reads: this.#processes.reduce((sum, process) => sum + process.ioCalls().reads, 0),
      writes: this.#processes.reduce((sum, process) => sum + process.ioCalls().writes, 0),
      postgres: cpuSecondsOfTree(this.#postgres.pid),
      redis: cpuSecondsOfTree(this.#redis.pid),
      wal: Number(row?.wal),
      batches: Number(row?.batches),
    };
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()));
    await this.#redis[Symbol.asyncDispose]();
    await this.#postgres[Symbol.asyncDispose]();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
