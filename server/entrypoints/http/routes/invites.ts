/** Invitations by link. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import {
  createdInvite,
  createInviteBody,
  invitationResponse,
  invitesResponse,
} from '../../../../protocol/rest/rooms.ts';
import { roomSchema } from '../../../../protocol/rooms.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { From, Invites } from '../../../features/rooms/invites.ts';
import type { Rooms } from '../../../features/rooms/rooms.ts';
import type { OriginPolicy } from '../../../platform/net/origin.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { codeParams, idOf, inviteParams, roomIdOf, roomParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface InviteRoutesParts {
  rooms: Rooms;
  invites: Invites;
  sessions: Sessions;
  origins: OriginPolicy;
  /** The address of a request as the limit on attempts counts it. */
  attemptsFrom(request: FastifyRequest['raw']): From;
}

export function registerInviteRoutes(
  app: FastifyInstance,
  { rooms, invites, sessions, origins, attemptsFrom }: InviteRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  /** A foreign page that tries codes would use up its visitor's tries. */
  const ownPages = async ({ raw }: FastifyRequest): Promise<void> => origins.checkRequest(raw);
  const path = `${API_PREFIX}/rooms/:id/invites`;

  routes.post(
    path,
    {
      onRequest,
      schema: {
        params: roomParams,
        body: optionalBody(createInviteBody),
        response: { 201: createdInvite },
      },
    },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      const invite = await invites.create(where, request.body, origins.ownOrigin(request.raw));
      return reply.code(201).send(invite);
    },
  );

  routes.get(
    path,
    { onRequest, schema: { params: roomParams, response: { 200: invitesResponse } } },
    async (request) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      return { invites: await invites.list(where) };
    },
  );

  routes.delete(
    `${path}/:invite_id`,
    { onRequest, schema: { params: inviteParams, response: NO_BODY } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      await invites.revoke(where, idOf(request.params.invite_id));
      return reply.code(204).send();
    },
  );

  routes.get(
    `${API_PREFIX}/invites/:code`,
    { onRequest: ownPages, schema: { params: codeParams, response: { 200: invitationResponse } } },
    (request) => invites.find(request.params.code, attemptsFrom(request.raw)),
  );

  routes.post(
    `${API_PREFIX}/invites/:code/accept`,
    { onRequest: [ownPages, onRequest], schema: { params: codeParams, response: { 200: roomSchema } } },
    async (request) => {
      const { userId } = identityOf(request);
      const roomId = await invites.accept(request.params.code, userId, attemptsFrom(request.raw));
      return await rooms.get({ roomId, userId });
    },
  );
}
