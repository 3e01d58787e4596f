/** Moderation of a room: mutes, bans, reports, and its part of the audit log. */
import { ADMIN_PAGE } from '../../../../protocol/limits.ts';
import type { Administration } from '../../../features/administration/administration.ts';
import type { Moderation } from '../../../features/administration/moderation.ts';
import type { On } from '../endpoints.ts';

export interface ModerationRoutesParts {
  administration: Administration;
  moderation: Moderation;
}

export function registerModerationRoutes(
  on: On,
  { administration, moderation }: ModerationRoutesParts,
): void {
  on('PUT /api/v1/rooms/:id/mutes/:user_id', ({ userId, params, body }) =>
    moderation.mute({ roomId: params.id, userId }, params.user_id, body),
  );
  on('DELETE /api/v1/rooms/:id/mutes/:user_id', ({ userId, params }) =>
    moderation.mute({ roomId: params.id, userId }, params.user_id, null),
  );

  on('PUT /api/v1/rooms/:id/bans/:user_id', ({ userId, params, body }) => {
    const { delete_last_s: deleteLastS, ...terms } = body;
    return moderation.ban({ roomId: params.id, userId }, params.user_id, terms, deleteLastS);
  });
  on('DELETE /api/v1/rooms/:id/bans/:user_id', ({ userId, params }) =>
    moderation.ban({ roomId: params.id, userId }, params.user_id, null),
  );

  on('GET /api/v1/rooms/:id/restricted', ({ userId, params }) =>
    moderation.restricted({ roomId: params.id, userId }),
  );

  on('GET /api/v1/rooms/:id/audit', ({ userId, params, query }) => {
    const { limit = ADMIN_PAGE.default, before_id: beforeId } = query;
    return administration.audit(userId, { of: 'room', roomId: params.id }, { limit, beforeId });
  });

  on('POST /api/v1/rooms/:id/messages/:message_id/reports', ({ userId, params, body }) =>
    moderation.report({ roomId: params.id, userId, messageId: params.message_id }, body),
  );

  on('GET /api/v1/rooms/:id/reports', ({ userId, params, query }) => {
    const { limit = ADMIN_PAGE.default, before_id: beforeId, state } = query;
    return moderation.reports(userId, { roomId: params.id, isOpen: state !== 'closed', limit, beforeId });
  });

  on('POST /api/v1/reports/:report_id/close', ({ userId, params, body }) =>
    moderation.closeReport(userId, params.report_id, body),
  );
}
