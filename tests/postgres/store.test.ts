/** The store's contract on PostgreSQL. */
import { describe } from 'vitest';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { describeStore } from '../../server/data/storage/store.contract.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

describe.skipIf(whyNoPostgres() !== undefined)('PostgreSQL', () => {
  describeStore('PostgreSQL', async () => {
    const server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    let { store } = await openPostgresStore({ address, isShared: false, onFatal });
    return {
      get store() {
        return store;
      },
      async reopen() {
        await store.close();
        ({ store } = await openPostgresStore({ address, isShared: false, onFatal }));
      },
      async dispose() {
        await store.close();
        await server[Symbol.asyncDispose]();
      },
    };
  });
});

function onFatal(error: Error): never {
  throw error;
}
