/** Rooms, direct conversations, their history, and tickets for WebSockets. */
import { HISTORY_PAGE, ROOMS_PAGE } from '../../../../protocol/limits.ts';
import type { Tickets } from '../../../features/identity/tickets.ts';
import type { History } from '../../../features/messages/history.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import type { On } from '../endpoints.ts';

export interface RoomRoutesParts {
  rooms: Rooms;
  history: History;
  tickets: Tickets;
}

export function registerRoomRoutes(on: On, { rooms, history, tickets }: RoomRoutesParts): void {
  on('POST /api/v1/rooms', ({ userId, body }) => rooms.create(body, userId));

  on('GET /api/v1/rooms', ({ userId, query: { limit = ROOMS_PAGE.default, ...query } }) =>
    rooms.list({ ...query, limit, userId }),
  );

  on('POST /api/v1/dms', async ({ userId, body, reply }) => {
    const { room, isNew } = await rooms.createDm(body.user_ids, userId);
    if (isNew) reply.code(201);
    return room;
  });

  on('GET /api/v1/rooms/:id', ({ userId, params }) => rooms.get({ roomId: params.id, userId }));
  on('PATCH /api/v1/rooms/:id', ({ userId, params, body }) =>
    rooms.change({ roomId: params.id, userId }, body),
  );
  on('DELETE /api/v1/rooms/:id', ({ userId, params }) => rooms.delete({ roomId: params.id, userId }));

  on('GET /api/v1/admin/rooms/deleted', async ({ userId }) => ({ rooms: await rooms.deleted(userId) }));
  on('POST /api/v1/admin/rooms/:id/restore', ({ userId, params, body }) =>
    rooms.restore(params.id, userId, body.name),
  );

  on('GET /api/v1/rooms/:id/messages', async ({ userId, params, query: given }) => {
    const { limit = HISTORY_PAGE.default, before_id: beforeId, after_id: afterId, view } = given;
    const { around_id: id, around_time: time } = given;
    const query = { roomId: params.id, limit, beforeId, afterId };
    if (id !== undefined) return await history.around({ ...query, place: { id } }, userId);
    if (time !== undefined) return await history.around({ ...query, place: { time } }, userId);
    return await (view === 'flow' ? history.flow(query, userId) : history.page(query, userId));
  });

  on('POST /api/v1/ws/tickets', ({ identity, body }) =>
    'scope' in body ? tickets.issueForUser(identity) : tickets.issue(identity, body.room_id),
  );
}
