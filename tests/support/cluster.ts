/** Several real server processes on one PostgreSQL and one Redis, each on a port of its own. */
import { randomBytes } from 'node:crypto';
import { PostgresServer, whyNoPostgres } from './postgres.ts';
import { RedisServer, whyNoRedis } from './redis.ts';
import { ServerProcess } from './server-process.ts';

/** Why tests with several processes are left out, which is printed; in CI they never are. */
export function whyNoCluster({ canBeStopped = false } = {}): string | undefined {
  return whyNoPostgres() ?? whyNoRedis({ canBeStopped });
}

export interface ClusterOptions {
  processes: number;
  /** Whether PostgreSQL will be killed, so that it must be one of our own. */
  isPostgresKilled?: boolean;
  /** Settings of every process. */
  env?: Record<string, string>;
  /** The address of Redis that a process uses, such as a relay before it. */
  redisUrlOf?: (index: number, redis: RedisServer) => Promise<string> | string;
  /** The same for the database. */
  databaseUrlOf?: (index: number, url: string) => Promise<string> | string;
}

export class Cluster {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly processes: readonly ServerProcess[];

  private constructor(parts: {
    redis: RedisServer;
    postgres: PostgresServer;
    databaseUrl: string;
    processes: readonly ServerProcess[];
  }) {
    this.redis = parts.redis;
    this.postgres = parts.postgres;
    this.databaseUrl = parts.databaseUrl;
    this.processes = parts.processes;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const { processes: count, env = {}, redisUrlOf, databaseUrlOf, isPostgresKilled = false } = options;
    const startPostgres = isPostgresKilled ? PostgresServer.startOwn() : PostgresServer.start();
    const [postgres, redis] = await Promise.all([startPostgres, RedisServer.start()]);
    const processes: ServerProcess[] = [];
    try {
      const databaseUrl = await postgres.createDatabase();
      const shared = {
        DATABASE_URL: databaseUrl,
        JWT_SECRET: randomBytes(32).toString('hex'),
        MESSAGES_PER_SECOND: '0',
        ...env,
      };
      for (let index = 0; index < count; index++) {
        const url = redisUrlOf ? await redisUrlOf(index, redis) : redis.url;
        const own: Record<string, string> = { REDIS_URL: url };
        if (databaseUrlOf) own.DATABASE_URL = await databaseUrlOf(index, databaseUrl);
        processes.push(await ServerProcess.start({ env: { ...shared, ...own } }));
      }
      return new Cluster({ redis, postgres, databaseUrl, processes });
    } catch (error) {
      await Promise.all(processes.map((server) => server.dispose()));
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
      throw error;
    }
  }

  process(index: number): ServerProcess {
    const server = this.processes[index];
    if (!server) throw new Error(`there is no process ${index}`);
    return server;
  }

  /** Runs a statement in the database of the processes. */
  async sql(text: string): Promise<unknown[]> {
    return await this.postgres.run(text, this.databaseUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.processes.map((server) => server.dispose()));
    await Promise.all([this.postgres[Symbol.asyncDispose](), this.redis[Symbol.asyncDispose]()]);
  }
}
