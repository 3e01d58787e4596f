/** Rooms, direct conversations, their history, and tickets for WebSockets. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { HISTORY_PAGE, ROOMS_PAGE } from '../../../../protocol/limits.ts';
import { ticketBody, ticketResponse } from '../../../../protocol/rest/accounts.ts';
import { deletedRoomsResponse, restoreRoomBody } from '../../../../protocol/rest/administration.ts';
import { historyQuery } from '../../../../protocol/rest/messages.ts';
import {
  createDmBody,
  createRoomBody,
  patchRoomBody,
  roomsQuery,
  roomsResponse,
} from '../../../../protocol/rest/rooms.ts';
import { roomSchema } from '../../../../protocol/rooms.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { Tickets } from '../../../features/identity/tickets.ts';
import type { History } from '../../../features/messages/history.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { JSON_TYPE } from '../headers.ts';
import { roomIdOf, roomParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface RoomRoutesParts {
  rooms: Rooms;
  history: History;
  tickets: Tickets;
  sessions: Sessions;
}

export function registerRoomRoutes(
  app: FastifyInstance,
  { rooms, history, tickets, sessions }: RoomRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);

  routes.post(
    `${API_PREFIX}/rooms`,
    { onRequest, schema: { body: createRoomBody, response: { 201: roomSchema } } },
    async (request, reply) =>
      reply.code(201).send(await rooms.create(request.body, identityOf(request).userId)),
  );

  routes.get(
    `${API_PREFIX}/rooms`,
    { onRequest, schema: { querystring: roomsQuery, response: { 200: roomsResponse } } },
    async (request) => {
      const { limit = ROOMS_PAGE.default, ...query } = request.query;
      return await rooms.list({ ...query, limit, userId: identityOf(request).userId });
    },
  );

  routes.post(
    `${API_PREFIX}/dms`,
    { onRequest, schema: { body: createDmBody, response: { 200: roomSchema, 201: roomSchema } } },
    async (request, reply) => {
      const { room, isNew } = await rooms.createDm(request.body.user_ids, identityOf(request).userId);
      return reply.code(isNew ? 201 : 200).send(room);
    },
  );

  routes.get(
    `${API_PREFIX}/rooms/:id`,
    { onRequest, schema: { params: roomParams, response: { 200: roomSchema } } },
    (request) => rooms.get({ roomId: roomIdOf(request.params), userId: identityOf(request).userId }),
  );

  routes.patch(
    `${API_PREFIX}/rooms/:id`,
    { onRequest, schema: { params: roomParams, body: patchRoomBody, response: { 200: roomSchema } } },
    (request) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return rooms.change(where, request.body);
    },
  );

  routes.delete(
    `${API_PREFIX}/rooms/:id`,
    { onRequest, schema: { params: roomParams, response: NO_BODY } },
    async (request, reply) => {
      await rooms.delete({ roomId: roomIdOf(request.params), userId: identityOf(request).userId });
      return reply.code(204).send();
    },
  );

  routes.get(
    `${API_PREFIX}/admin/rooms/deleted`,
    { onRequest, schema: { response: { 200: deletedRoomsResponse } } },
    async (request) => ({ rooms: await rooms.deleted(identityOf(request).userId) }),
  );

  routes.post(
    `${API_PREFIX}/admin/rooms/:id/restore`,
    { onRequest, schema: { params: roomParams, body: optionalBody(restoreRoomBody), response: NO_BODY } },
    async (request, reply) => {
      await rooms.restore(roomIdOf(request.params), identityOf(request).userId, request.body.name);
      return reply.code(204).send();
    },
  );

  routes.get(
    `${API_PREFIX}/rooms/:id/messages`,
    // No response schema: a page is large, and the service has just written it.
    { onRequest, schema: { params: roomParams, querystring: historyQuery } },
    async (request, reply) => {
      const { limit = HISTORY_PAGE.default, before_id: beforeId, after_id: afterId, view } = request.query;
      const { around_id: id, around_time: time } = request.query;
      const { userId } = identityOf(request);
      const query = { roomId: roomIdOf(request.params), limit, beforeId, afterId };
      const place = id === undefined ? time !== undefined && { time } : { id };
      const page = () => (view === 'flow' ? history.flow(query, userId) : history.page(query, userId));
      reply.type(JSON_TYPE);
      return await (place === false ? page() : history.around({ ...query, place }, userId));
    },
  );

  routes.post(
    `${API_PREFIX}/ws/tickets`,
    { onRequest, schema: { body: ticketBody, response: { 200: ticketResponse } } },
    (request) =>
      'scope' in request.body
        ? tickets.issueForUser(identityOf(request))
        : tickets.issue(identityOf(request), request.body.room_id),
  );
}
