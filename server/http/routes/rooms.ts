/** Rooms, their history, and tickets for their WebSockets. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { API_PREFIX } from '../../../protocol/constants.ts';
import { AppError } from '../../../protocol/errors.ts';
import { HISTORY_PAGE, ROOMS_PAGE } from '../../../protocol/limits.ts';
import { ticketBody, ticketResponse } from '../../../protocol/rest/accounts.ts';
import { type HistoryPage, historyQuery } from '../../../protocol/rest/messages.ts';
import { createRoomBody, roomsQuery, roomsResponse } from '../../../protocol/rest/rooms.ts';
import { roomSchema } from '../../../protocol/rooms.ts';
import { parseId } from '../../../protocol/text.ts';
import type { Sessions } from '../../identity/sessions.ts';
import type { Tickets } from '../../identity/tickets.ts';
import type { History } from '../../messages/history.ts';
import type { Rooms } from '../../rooms/rooms.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import type { ZodTypeProvider } from '../schemas.ts';

const pathParams = z.object({ id: z.string() });

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
      reply.code(201).send(await rooms.create(request.body.name, identityOf(request).userId)),
  );

  routes.get(
    `${API_PREFIX}/rooms`,
    { onRequest, schema: { querystring: roomsQuery, response: { 200: roomsResponse } } },
    async (request) => {
      const { limit = ROOMS_PAGE.default, ...query } = request.query;
      return { rooms: await rooms.list({ ...query, limit, userId: identityOf(request).userId }) };
    },
  );

  routes.get(
    `${API_PREFIX}/rooms/:id/messages`,
    // No response schema: a page is large, and `toMessage` has just made every field of it.
    { onRequest, schema: { params: pathParams, querystring: historyQuery } },
    ({ params, query }): Promise<HistoryPage> => {
      const roomId = parseId(params.id);
      if (roomId === null) throw new AppError('invalid_room_id');
      const { limit = HISTORY_PAGE.default, before_id: beforeId, after_id: afterId } = query;
      return history.page({ roomId, limit, beforeId, afterId });
    },
  );

  routes.post(
    `${API_PREFIX}/ws/tickets`,
    { onRequest, schema: { body: ticketBody, response: { 200: ticketResponse } } },
    (request) => {
      // A ticket for all rooms comes with the protocol that it opens.
      if ('scope' in request.body) throw new AppError('invalid_payload');
      return tickets.issue(identityOf(request), request.body.room_id);
    },
  );
}
