/** Other people. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { AppError } from '../../../../protocol/errors.ts';
import { usersQuery, usersResponse } from '../../../../protocol/rest/people.ts';
import { type People, parseIds } from '../../../features/identity/people.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import type { ZodTypeProvider } from '../schemas.ts';

export interface PeopleRoutesParts {
  people: People;
  sessions: Sessions;
}

export function registerPeopleRoutes(app: FastifyInstance, { people, sessions }: PeopleRoutesParts): void {
  const onRequest = createAuthenticate(sessions);

  app
    .withTypeProvider<ZodTypeProvider>()
    .get(
      `${API_PREFIX}/users`,
      { onRequest, schema: { querystring: usersQuery, response: { 200: usersResponse } } },
      async (request) => {
        const { userId } = identityOf(request);
        const { ids, q = '' } = request.query;
        if (ids === undefined) return { users: await people.search(userId, q) };
        const wanted = parseIds(ids);
        if (wanted === null || request.query.q !== undefined) throw new AppError('invalid_payload');
        return { users: await people.byIds(userId, wanted) };
      },
    );
}
