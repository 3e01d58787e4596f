/** Searching for messages. Not part of `ChatApi`, so that a page loads it when needed. */
import type { SearchOrder, SearchPage } from '../../protocol/rest/search.ts';
import { checkedPaths } from './checked-paths.ts';
import { isFlag, isNatural, isText, listOf, nullable, optional, some } from './checks.ts';
import { queryString } from './http.ts';
import type { Requests } from './requests.ts';
import { isMessage } from './responses.ts';

/** Every method rejects with an `ApiError`. */
export interface SearchApi {
  /**
   * Messages that the user may read. `query`: as people type it. `order`: the newest first, unless it is `oldest`.
   * `beforeId`: the `next_before_id` of the page before, and `afterId` the `next_after_id`, where the oldest is first.
   * `timeZone`: an IANA name, for the days in the query.
   */
  search(
    query: string,
    options?: {
      order?: SearchOrder;
      beforeId?: number;
      afterId?: number;
      limit?: number;
      timeZone?: string;
    },
  ): Promise<SearchPage>;
}

/** From and to. */
const isHit = (value: unknown): value is [number, number] =>
  Array.isArray(value) && value.length === 2 && value.every(isNatural);
const isSearchPage = some<SearchPage>({
  results: listOf(some<SearchPage['results'][0]>({ message: isMessage, hits: listOf(isHit) })),
  next_before_id: nullable(isNatural),
  next_after_id: optional(nullable(isNatural)),
  is_complete: isFlag,
  indexed_from: nullable(isText),
});

/** `requests`: those of `ChatClient.api`. */
export function searchApi(requests: Requests): SearchApi {
  const { ask } = checkedPaths(requests);
  return {
    search: (q, { order, beforeId, afterId, limit, timeZone } = {}) =>
      ask(
        'GET',
        `/search${queryString({ q, sort: order, before_id: beforeId, after_id: afterId, limit, tz: timeZone })}`,
        isSearchPage,
      ),
  };
}
