/** The members of a room, joining and leaving it, and what a member sets for themselves. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { MEMBERS_PAGE } from '../../../../protocol/limits.ts';
import { membersQuery, membersResponse, prefsBody, putMemberBody } from '../../../../protocol/rest/rooms.ts';
import { memberSchema, membershipSchema, roomSchema } from '../../../../protocol/rooms.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Members } from '../../../features/rooms/members.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { idOf, memberParams, roomIdOf, roomParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface MemberRoutesParts {
  rooms: Rooms;
  members: Members;
  sessions: Sessions;
}

export function registerMemberRoutes(
  app: FastifyInstance,
  { rooms, members, sessions }: MemberRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const path = `${API_PREFIX}/rooms/:id`;

  routes.get(
    `${path}/members`,
    {
      onRequest,
      schema: { params: roomParams, querystring: membersQuery, response: { 200: membersResponse } },
    },
    (request) => {
      const { limit = MEMBERS_PAGE.default, after_id: afterId, q } = request.query;
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return members.list({ ...where, limit, afterId, q });
    },
  );

  routes.put(
    `${path}/members/me`,
    { onRequest, schema: { params: roomParams, response: { 200: roomSchema } } },
    async (request) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      await members.join(where);
      return await rooms.get(where);
    },
  );

  routes.delete(
    `${path}/members/me`,
    { onRequest, schema: { params: roomParams, response: NO_BODY } },
    async (request, reply) => {
      await members.leave({ roomId: roomIdOf(request.params), userId: identityOf(request).userId });
      return reply.code(204).send();
    },
  );

  routes.put(
    `${path}/members/:user_id`,
    {
      onRequest,
      schema: {
        params: memberParams,
        body: optionalBody(putMemberBody),
        response: { 200: memberSchema },
      },
    },
    (request) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return members.set(where, idOf(request.params.user_id), request.body.role);
    },
  );

  routes.delete(
    `${path}/members/:user_id`,
    { onRequest, schema: { params: memberParams, response: NO_BODY } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      await members.remove(where, idOf(request.params.user_id));
      return reply.code(204).send();
    },
  );

  routes.put(
    `${path}/prefs`,
    { onRequest, schema: { params: roomParams, body: prefsBody, response: { 200: membershipSchema } } },
    (request) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return members.setPrefs(where, request.body);
    },
  );
}
