/** Roomful as several processes on one PostgreSQL and one Redis, which it starts. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../tests/support/postgres.ts';
import { RedisServer } from '../../tests/support/redis.ts';
import type { Door } from '../load/plan.ts';
import { cpuSecondsOfTree } from '../pinned-process.ts';
import { lineDoorTo, makeRoom, ROOMFUL_SETTINGS, signUpUsers, startRoomful } from './roomful.ts';
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

  /** Starts `count` processes on empty services, with `users` users. */
  static async start(count: number, users: number): Promise<Cluster> {
    const postgres = await PostgresServer.start();
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
    while (processes.length < count)
      processes.push(await startRoomful(dataDir, { cores: null, nodeArgs: [] }, settings));
    const tokens = await signUpUsers(processes[0]?.port ?? 0, users);
    return new Cluster({ postgres, redis, processes, tokens, dataDir, database });
  }

  /** A new room: a door to it through each process, all of one user. */
  async makeRoom(index: number): Promise<Door[]> {
    const token = this.#tokens[index % this.#tokens.length] ?? '';
    const roomId = await makeRoom(this.#processes[0]?.port ?? 0, [token], false);
    return this.#processes.map(({ port }) => lineDoorTo(port, roomId, token));
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
