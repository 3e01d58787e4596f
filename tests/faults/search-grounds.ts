/** Where the trials of the search run: on each database that is there. */
import { randomBytes } from 'node:crypto';
import { Cluster } from '../support/cluster.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { SearchGround } from './search.ts';

const ENV = { MESSAGES_PER_SECOND: '0' };

/** SQLite and PostgreSQL; with TEST_STORE=postgres that one alone. */
export function searchGrounds(): (() => Promise<SearchGround>)[] {
  const hasPostgres = whyNoPostgres() === undefined;
  return [...(process.env.TEST_STORE === 'postgres' ? [] : [onSqlite]), ...(hasPostgres ? [onPostgres] : [])];
}

async function onSqlite(): Promise<SearchGround> {
  const server = await ServerProcess.start({ env: ENV });
  return { name: 'SQLite', servers: [server], [Symbol.asyncDispose]: () => server.dispose() };
}

async function onPostgres(): Promise<SearchGround> {
  const postgres = await PostgresServer.start();
  const url = await postgres.createDatabase();
  const env = { ...ENV, DATABASE_URL: url, JWT_SECRET: randomBytes(32).toString('hex') };
  const server = await ServerProcess.start({ env });
  return {
    name: 'PostgreSQL',
    servers: [server],
    async [Symbol.asyncDispose]() {
      await server.dispose();
      await postgres.dropDatabase(url);
    },
  };
}

/** Processes on one PostgreSQL, of which one keeps the index. */
export function ofProcesses(processes: number): () => Promise<SearchGround> {
  return async () => {
    const cluster = await Cluster.start({ processes });
    return {
      name: `${processes} processes`,
      servers: cluster.processes,
      [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
    };
  };
}
