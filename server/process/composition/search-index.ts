/** The index of texts, beside the database that it is of. */
import type { Stems } from '../../../protocol/search/tokens.ts';
import { PostgresSearch } from '../../data/search/postgres.ts';
import { type SearchIndex, WORDS_VERSION } from '../../data/search/search-index.ts';
import { SqliteSearch } from '../../data/search/sqlite/sqlite-search.ts';
import type { PostgresOpening } from '../../data/storage/postgres/postgres-store.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Config } from '../../platform/config.ts';
import { type Logger, throttled } from '../../platform/log.ts';

export interface SearchIndexParts {
  store: Store;
  epoch: string;
  ofDatabase: Pick<PostgresOpening, 'steps'> | undefined;
  stems(): Promise<Stems>;
  log: Logger;
}

export function createSearchIndex(
  { dataDir, searchLanguages: languages }: Config,
  { store, epoch, ofDatabase, stems, log }: SearchIndexParts,
): SearchIndex {
  if (!ofDatabase) {
    const onDamage = throttled((error, count) =>
      log.error({ err: error, count }, 'the index of the search was damaged, and is being built anew'),
    );
    return new SqliteSearch({ dataDir, epoch, languages, store, onDamage });
  }
  const words = `${WORDS_VERSION} ${[...languages].sort().join()}`;
  return new PostgresSearch({ steps: ofDatabase.steps, store, words, stems });
}
