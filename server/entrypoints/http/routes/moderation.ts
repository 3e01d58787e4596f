/** Moderation of a room: mutes, bans, reports, and its part of the audit log. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { ADMIN_PAGE } from '../../../../protocol/limits.ts';
import {
  auditResponse,
  banBody,
  closeReportBody,
  muteBody,
  ownAuditQuery,
  reportBody,
  reportsQuery,
  reportsResponse,
  restrictedResponse,
} from '../../../../protocol/rest/administration.ts';
import type { Administration } from '../../../features/administration/administration.ts';
import type { Moderation } from '../../../features/administration/moderation.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { idOf, memberParams, messageParams, reportParams, roomIdOf, roomParams } from '../params.ts';
import { NO_BODY, optionalBody, type ZodTypeProvider } from '../schemas.ts';

export interface ModerationRoutesParts {
  administration: Administration;
  moderation: Moderation;
  sessions: Sessions;
}

export function registerModerationRoutes(
  app: FastifyInstance,
  { administration, moderation, sessions }: ModerationRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const room = `${API_PREFIX}/rooms/:id`;

  routes.put(
    `${room}/mutes/:user_id`,
    { onRequest, schema: { params: memberParams, body: optionalBody(muteBody), response: NO_BODY } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      await moderation.mute(where, idOf(request.params.user_id), request.body);
      return reply.code(204).send();
    },
  );

  routes.put(
    `${room}/bans/:user_id`,
    { onRequest, schema: { params: memberParams, body: optionalBody(banBody), response: NO_BODY } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      const { delete_last_s: deleteLastS, ...terms } = request.body;
      await moderation.ban(where, idOf(request.params.user_id), terms, deleteLastS);
      return reply.code(204).send();
    },
  );

  for (const kind of ['mute', 'ban'] as const) {
    routes.delete(
      `${room}/${kind}s/:user_id`,
      { onRequest, schema: { params: memberParams, response: NO_BODY } },
      async (request, reply) => {
        const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
        await moderation[kind](where, idOf(request.params.user_id), null);
        return reply.code(204).send();
      },
    );
  }

  routes.get(
    `${room}/restricted`,
    { onRequest, schema: { params: roomParams, response: { 200: restrictedResponse } } },
    (request) =>
      moderation.restricted({ roomId: roomIdOf(request.params), userId: identityOf(request).userId }),
  );

  routes.get(
    `${room}/audit`,
    {
      onRequest,
      schema: { params: roomParams, querystring: ownAuditQuery, response: { 200: auditResponse } },
    },
    (request) => {
      const { limit = ADMIN_PAGE.default, before_id: beforeId } = request.query;
      const scope = { of: 'room', roomId: roomIdOf(request.params) } as const;
      return administration.audit(identityOf(request).userId, scope, { limit, beforeId });
    },
  );

  routes.post(
    `${room}/messages/:message_id/reports`,
    { onRequest, schema: { params: messageParams, body: reportBody, response: NO_BODY } },
    async (request, reply) => {
      const where = { roomId: roomIdOf(request.params), userId: identityOf(request).userId };
      await moderation.report({ ...where, messageId: idOf(request.params.message_id) }, request.body);
      return reply.code(204).send();
    },
  );

  routes.get(
    `${room}/reports`,
    {
      onRequest,
      schema: { params: roomParams, querystring: reportsQuery, response: { 200: reportsResponse } },
    },
    (request) => {
      const { limit = ADMIN_PAGE.default, before_id: beforeId, state } = request.query;
      const roomId = roomIdOf(request.params);
      const isOpen = state !== 'closed';
      return moderation.reports(identityOf(request).userId, { roomId, isOpen, limit, beforeId });
    },
  );

  routes.post(
    `${API_PREFIX}/reports/:report_id/close`,
    { onRequest, schema: { params: reportParams, body: closeReportBody, response: NO_BODY } },
    async (request, reply) => {
      await moderation.closeReport(identityOf(request).userId, idOf(request.params.report_id), request.body);
      return reply.code(204).send();
    },
  );
}
