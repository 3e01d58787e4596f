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
  /** The main file of the processes; by default the one of this build. */
  main?: string;
  /** The address of Redis that a process uses, such as a relay before it. */
  redisUrlOf?: (index: number, redis: RedisServer) => Promise<string> | string;
  /** The same for the database. */
  databaseUrlOf?: (index: number, url: string) => Promise<string> | string;
}

/** A process, and the settings with which it was started. */
interface Node {
  server: ServerProcess;
  env: Record<string, string>;
}

export class Cluster {
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly #nodes: Node[];

  private constructor(parts: {
    redis: RedisServer;
    postgres: PostgresServer;
    databaseUrl: string;
    nodes: Node[];
  }) {
    this.redis = parts.redis;
    this.postgres = parts.postgres;
    this.databaseUrl = parts.databaseUrl;
    this.#nodes = parts.nodes;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    const { processes: count, main, redisUrlOf, databaseUrlOf, isPostgresKilled = false } = options;
    const startPostgres = isPostgresKilled ? PostgresServer.startOwn() : PostgresServer.start();
    const [postgres, redis] = await Promise.all([startPostgres, RedisServer.start()]);
    const nodes: Node[] = [];
    try {
      const databaseUrl = await postgres.createDatabase();
      const shared = {
        DATABASE_URL: databaseUrl,
        JWT_SECRET: randomBytes(32).toString('hex'),
        MESSAGES_PER_SECOND: '0',
        ...options.env,
      };
      for (let index = 0; index < count; index++) {
        const url = redisUrlOf ? await redisUrlOf(index, redis) : redis.url;
        const own: Record<string, string> = { REDIS_URL: url };
        if (databaseUrlOf) own.DATABASE_URL = await databaseUrlOf(index, databaseUrl);
        const env = { ...shared, ...own };
        nodes.push({ server: await start(env, main), env });
      }
      return new Cluster({ redis, postgres, databaseUrl, nodes });
    } catch (error) {
      await Promise.all(nodes.map(({ server }) => server.dispose()));
      await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
      throw error;
    }
  }

  get processes(): readonly ServerProcess[] {
    return this.#nodes.map(({ server }) => server);
  }

  process(index: number): ServerProcess {
    return this.#node(index).server;
  }

  /** Stops a process as an operator does, and starts another build in its place, on a port of its own. */
  async replace(index: number, main?: string): Promise<void> {
    const node = this.#node(index);
    await node.server.stop();
    await node.server.dispose();
    node.server = await start(node.env, main);
  }

  /** Runs a statement in the database of the processes. */
  async sql(text: string): Promise<unknown[]> {
    return await this.postgres.run(text, this.databaseUrl);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.processes.map((server) => server.dispose()));
    await Promise.all([this.postgres[Symbol.asyncDispose](), this.redis[Symbol.asyncDispose]()]);
  }

  #node(index: number): Node {
    const node = this.#nodes[index];
    if (!node) throw new Error(`there is no process ${index}`);
    return node;
  }
}

async function start(env: Record<string, string>, main: string | undefined): Promise<ServerProcess> {
  return await ServerProcess.start(main === undefined ? { env } : { env, main });
}
