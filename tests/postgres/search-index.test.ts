/** The contract of the index of texts on PostgreSQL. */
import { describe } from 'vitest';
import { PostgresSearch } from '../../server/data/search/postgres.ts';
import { describeIndex, LANGUAGES } from '../../server/data/search/search-index.contract.ts';
import { createStems, type StemLanguage } from '../../server/data/search/stems.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

describe.skipIf(whyNoPostgres() !== undefined)('PostgreSQL', () => {
  describeIndex('PostgreSQL', async () => {
    const server = await PostgresServer.start();
    const address = addressOf(await server.createDatabase());
    const { store, steps } = await openPostgresStore({ address, isShared: false, onFatal });
    const openIndex = (languages: readonly StemLanguage[]) =>
      new PostgresSearch({ steps, store, words: languages.join(), stems: () => createStems(languages) });
    let index = openIndex(LANGUAGES);
    return {
      store,
      get index() {
        return index;
      },
      async reopen(languages) {
        index = openIndex(languages);
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
