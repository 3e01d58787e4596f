/** The index of texts, beside the database that it is of. */
import type { Stems } from '../../../protocol/search/tokens.ts';
import { PostgresSearch } from '../../data/search/postgres/postgres-search.ts';
import { type SearchIndex, wordsOf } from '../../data/search/search-index.ts';
import { SqliteSearch } from '../../data/search/sqlite/sqlite-search.ts';
import type { PostgresOpening } from '../../data/storage/postgres/postgres-store.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Config } from '../../platform/config.ts';

export interface SearchIndexParts {
  store: Store;
  epoch: string;
  ofDatabase: Pick<PostgresOpening, 'steps'> | undefined;
  stems(): Promise<Stems>;
  /** The file of the embedded index was damaged, and is being built anew. */
  onDamage(error: string): void;
}

export function createSearchIndex(
  { dataDir, searchLanguages: languages }: Config,
  { store, epoch, ofDatabase, stems, onDamage }: SearchIndexParts,
): SearchIndex {
  if (!ofDatabase) return new SqliteSearch({ dataDir, epoch, languages, store, onDamage });
  return new PostgresSearch({ steps: ofDatabase.steps, store, words: wordsOf(languages), stems });
}
