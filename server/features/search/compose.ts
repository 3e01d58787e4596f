/** Puts together the search for messages and what keeps its index. */
import type { Stems } from '../../../protocol/search/tokens.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { SearchIndex } from '../../data/search/search-index.ts';
import { createStems, type StemLanguage } from '../../data/search/stems.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import type { Limiter } from '../../platform/limits/limiter.ts';
import type { Logger } from '../../platform/log.ts';
import { LogConsumer } from '../consumers/log-consumer.ts';
import type { Lease } from '../consumers/work.ts';
import { statusOf } from './index-status.ts';
import { Indexer } from './indexer.ts';
import { Search } from './search.ts';

/** A text is to be found within 2 s, also when the process that kept the index was killed (G21). */
const LEASE: Lease = { heldMs: 1000, renewMs: 300 };

export interface ComposeParts {
  index: SearchIndex;
  stems(): Promise<Stems>;
  store: Store;
  bus: Bus;
  budget: Limiter | undefined;
  log: Logger;
  now: Now;
  /** Other processes use the database, too. */
  isShared: boolean;
}

export function composeSearch({ isShared, ...parts }: ComposeParts) {
  const { index, store, bus, log, now } = parts;
  const indexer = new Indexer({ index, store, log });
  return {
    search: new Search(parts),
    searchIndex: index,
    searchControl: { status: () => statusOf({ index, store }), rebuild: () => indexer.rebuild() },
    /** The index has lost what it had. */
    refillIndex() {
      indexer.tend().catch((error) => log.warn({ err: error }, 'the index of the search waits to be filled'));
    },
    startIndexer: () =>
      new LogConsumer(indexer, { store, bus, log, now, isShared, cursors: indexer.cursors, lease: LEASE }),
  };
}

/** The stems of these languages, which are loaded when they are first asked for. */
export function lateStems(languages: readonly StemLanguage[]): () => Promise<Stems> {
  let stems: Promise<Stems> | undefined;
  return () => {
    stems ??= createStems(languages);
    return stems;
  };
}
