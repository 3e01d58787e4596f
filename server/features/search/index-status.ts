/** How far the index of the search has come, for those who run the server. */
import type { SearchStatus } from '../../../protocol/rest/administration.ts';
import type { SearchIndex } from '../../data/search/search-index.ts';
import type { Store } from '../../data/storage/store.ts';

export interface IndexParts {
  index: Pick<SearchIndex, 'state' | 'bytes'>;
  store: Pick<Store, 'lastMessageId'>;
}

export async function statusOf({ index, store }: IndexParts): Promise<SearchStatus> {
  const state = await index.state();
  const last = await store.lastMessageId();
  // Ids are shared by all rooms, and few are missing.
  const left = state === null ? last : Math.max(0, state.fromId - 1);
  const since = state?.since ?? null;
  return {
    is_complete: left === 0,
    messages: Math.max(0, last - left),
    messages_left: left,
    indexed_from: since === null ? null : new Date(since).toISOString(),
    bytes: await index.bytes(),
  };
}
