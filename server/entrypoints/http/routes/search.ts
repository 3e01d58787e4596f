/** Searching for messages. */
import { SEARCH_PAGE } from '../../../../protocol/limits.ts';
import type { Search } from '../../../features/search/search.ts';
import type { On } from '../endpoints.ts';

export interface SearchRoutesParts {
  search: Search;
}

export function registerSearchRoutes(on: On, { search }: SearchRoutesParts): void {
  on('GET /api/v1/search', ({ userId, query }) => {
    const { q, sort: order, before_id, after_id, limit = SEARCH_PAGE.default, tz } = query;
    const beyondId = order === 'newest' ? before_id : after_id;
    return search.page({ userId, typed: q, order, beyondId, limit, timeZone: tz });
  });
}
