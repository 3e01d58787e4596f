/** Other people. */
import { AppError } from '../../../../protocol/errors.ts';
import { type People, parseIds } from '../../../features/identity/people.ts';
import type { On } from '../endpoints.ts';

export interface PeopleRoutesParts {
  people: People;
}

export function registerPeopleRoutes(on: On, { people }: PeopleRoutesParts): void {
  on('GET /api/v1/users', async ({ userId, query: { ids, q } }) => {
    if (ids === undefined) return { users: await people.search(userId, q ?? '') };
    const wanted = parseIds(ids);
    if (wanted === null || q !== undefined) throw new AppError('invalid_payload');
    return { users: await people.byIds(userId, wanted) };
  });
}
