/** The members of a room, joining and leaving it, and what a member sets for themselves. */
import { MEMBERS_PAGE } from '../../../../protocol/limits.ts';
import type { Members } from '../../../features/rooms/members.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import type { On } from '../endpoints.ts';

export interface MemberRoutesParts {
  rooms: Rooms;
  members: Members;
}

export function registerMemberRoutes(on: On, { rooms, members }: MemberRoutesParts): void {
  on('GET /api/v1/rooms/:id/members', ({ userId, params, query }) => {
    const { limit = MEMBERS_PAGE.default, after_id: afterId, q } = query;
    return members.list({ roomId: params.id, userId, limit, afterId, q });
  });

  on('PUT /api/v1/rooms/:id/members/me', async ({ userId, params }) => {
    const where = { roomId: params.id, userId };
    await members.join(where);
    return await rooms.get(where);
  });

  on('DELETE /api/v1/rooms/:id/members/me', ({ userId, params }) =>
    members.leave({ roomId: params.id, userId }),
  );

  on('PUT /api/v1/rooms/:id/members/:user_id', ({ userId, params, body }) =>
    members.set({ roomId: params.id, userId }, params.user_id, body.role),
  );

  on('DELETE /api/v1/rooms/:id/members/:user_id', ({ userId, params }) =>
    members.remove({ roomId: params.id, userId }, params.user_id),
  );

  on('PUT /api/v1/rooms/:id/prefs', ({ userId, params, body }) =>
    members.setPrefs({ roomId: params.id, userId }, body),
  );
}
