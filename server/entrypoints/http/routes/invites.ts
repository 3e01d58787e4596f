/** Invitations by link. */
import type { FastifyRequest } from 'fastify';
import type { From, Invites } from '../../../features/rooms/invites.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import type { On } from '../endpoints.ts';

export interface InviteRoutesParts {
  rooms: Rooms;
  invites: Invites;
  origins: OriginPolicy;
  /** The address of a request as the limit on attempts counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
}

export function registerInviteRoutes(
  on: On,
  { rooms, invites, origins, attemptsFrom }: InviteRoutesParts,
): void {
  on('POST /api/v1/rooms/:id/invites', ({ userId, params, body, request }) =>
    invites.create({ roomId: params.id, userId }, body, origins.ownOrigin(request.raw)),
  );

  on('GET /api/v1/rooms/:id/invites', async ({ userId, params }) => ({
    invites: await invites.list({ roomId: params.id, userId }),
  }));

  on('DELETE /api/v1/rooms/:id/invites/:invite_id', ({ userId, params }) =>
    invites.revoke({ roomId: params.id, userId }, params.invite_id),
  );

  on('GET /api/v1/invites/:code', ({ params, request }) =>
    invites.find(params.code, attemptsFrom(request.raw)),
  );

  on('POST /api/v1/invites/:code/accept', async ({ userId, params, request }) => {
    const roomId = await invites.accept(params.code, userId, attemptsFrom(request.raw));
    return await rooms.get({ roomId, userId });
  });
}
