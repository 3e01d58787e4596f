/** Searching for messages. */
import { SEARCH_PAGE } from '../../../../protocol/limits.ts';
import type { Search } from '../../../features/search/search.ts';
import type { On } from '../endpoints.ts';

export interface SearchRoutesParts {
  search: Search;
}

export function registerSearchRoutes(on: On, { search }: SearchRoutesParts): void {
  on('GET /api/v1/search', ({ userId, query: { q, before_id, limit = SEARCH_PAGE.default, tz } }) =>
    search.page({ userId, typed: q, beforeId: before_id, limit, timeZone: tz }),
  );
}
