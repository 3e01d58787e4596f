/** The user's own: profile, password, rooms, blocks, sessions, and becoming the first admin. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import {
  blocksQuery,
  blocksResponse,
  meResponse,
  passwordBody,
  patchMeBody,
  sessionsResponse,
  setupBody,
} from '../../../../protocol/rest/people.ts';
import { myRoomsQuery, myRoomsResponse } from '../../../../protocol/rest/rooms.ts';
import type { Accounts } from '../../../features/identity/accounts.ts';
import type { People } from '../../../features/identity/people.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Setup } from '../../../features/identity/setup.ts';
import type { Members } from '../../../features/rooms/members.ts';
import { addressKey, type ClientAddressOf } from '../../../platform/net/client-address.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { idOf, sessionParams, userParams } from '../params.ts';
import { NO_BODY, type ZodTypeProvider } from '../schemas.ts';

export interface MeRoutesParts {
  accounts: Accounts;
  clientAddressOf: ClientAddressOf;
  people: People;
  members: Members;
  sessions: Sessions;
  setup: Setup;
}

export function registerMeRoutes(
  app: FastifyInstance,
  { accounts, clientAddressOf, people, members, sessions, setup }: MeRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const me = `${API_PREFIX}/me`;

  routes.get(me, { onRequest, schema: { response: { 200: meResponse } } }, (request) =>
    people.me(identityOf(request).userId),
  );

  routes.patch(me, { onRequest, schema: { body: patchMeBody, response: { 200: meResponse } } }, (request) =>
    people.changeMe(identityOf(request).userId, request.body),
  );

  routes.get(
    `${me}/rooms`,
    { onRequest, schema: { querystring: myRoomsQuery, response: { 200: myRoomsResponse } } },
    (request) => members.rooms(identityOf(request).userId, request.query.after_id),
  );

  routes.get(
    `${me}/blocks`,
    { onRequest, schema: { querystring: blocksQuery, response: { 200: blocksResponse } } },
    (request) => people.blocked(identityOf(request).userId, request.query.after_id),
  );

  for (const [method, isBlocked] of [
    ['PUT', true],
    ['DELETE', false],
  ] as const) {
    routes.route({
      ...{ method, url: `${me}/blocks/:user_id`, onRequest },
      schema: { params: userParams, response: NO_BODY },
      async handler(request, reply) {
        await people.setBlock(identityOf(request).userId, idOf(request.params.user_id), isBlocked);
        return reply.code(204).send();
      },
    });
  }

  routes.put(
    `${me}/password`,
    { onRequest, schema: { body: passwordBody, response: NO_BODY } },
    async (request, reply) => {
      const from = addressKey(clientAddressOf(request.raw));
      await accounts.changePassword(identityOf(request), request.body, from);
      return reply.code(204).send();
    },
  );

  routes.get(
    `${me}/sessions`,
    { onRequest, schema: { response: { 200: sessionsResponse } } },
    async (request) => ({ sessions: await sessions.list(identityOf(request)) }),
  );

  routes.delete(
    `${me}/sessions/:id`,
    { onRequest, schema: { params: sessionParams, response: NO_BODY } },
    async (request, reply) => {
      await sessions.endOne(identityOf(request).userId, idOf(request.params.id));
      return reply.code(204).send();
    },
  );

  routes.post(
    `${API_PREFIX}/setup`,
    { onRequest, schema: { body: setupBody, response: { 200: meResponse } } },
    async (request) => {
      const { userId } = identityOf(request);
      await setup.claim(request.body.code, userId);
      return await people.me(userId);
    },
  );
}
