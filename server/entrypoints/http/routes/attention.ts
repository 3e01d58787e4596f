/** The inbox, notification settings, and why a message did or did not notify the user. */
import type { FastifyInstance } from 'fastify';
import { notificationSettings } from '../../../../protocol/attention.ts';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import { INBOX_PAGE } from '../../../../protocol/limits.ts';
import { inboxQuery, whyResponse } from '../../../../protocol/rest/attention.ts';
import { meResponse } from '../../../../protocol/rest/people.ts';
import type { Inbox } from '../../../features/attention/inbox.ts';
import type { People } from '../../../features/identity/people.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { JSON_TYPE } from '../headers.ts';
import { idOf, messageParams, roomIdOf } from '../params.ts';
import type { ZodTypeProvider } from '../schemas.ts';

export interface AttentionRoutesParts {
  inbox: Inbox;
  people: People;
  sessions: Sessions;
}

export function registerAttentionRoutes(
  app: FastifyInstance,
  { inbox, people, sessions }: AttentionRoutesParts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);

  routes.get(
    `${API_PREFIX}/me/inbox`,
    // No response schema: a page may be large, and the service has just written it.
    { onRequest, schema: { querystring: inboxQuery } },
    async (request, reply) => {
      const { limit = INBOX_PAGE.default, before_id: before } = request.query;
      const page = await inbox.page({ userId: identityOf(request).userId, limit, before });
      return reply.type(JSON_TYPE).send(page);
    },
  );

  routes.put(
    `${API_PREFIX}/me/notifications`,
    { onRequest, schema: { body: notificationSettings, response: { 200: meResponse } } },
    (request) => people.changeMe(identityOf(request).userId, { settings: { notifications: request.body } }),
  );

  routes.get(
    `${API_PREFIX}/rooms/:id/messages/:message_id/why`,
    { onRequest, schema: { params: messageParams, response: { 200: whyResponse } } },
    (request) => {
      const { params } = request;
      const { userId } = identityOf(request);
      return inbox.why({ roomId: roomIdOf(params), messageId: idOf(params.message_id), userId });
    },
  );
}
