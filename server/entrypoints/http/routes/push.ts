/** Web Push: the key, the user's subscriptions, and a test notification. */
import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '../../../../protocol/constants.ts';
import {
  pushEndpointBody,
  pushKeyResponse,
  pushSubscriptionBody,
  pushTestBody,
  pushTestResponse,
} from '../../../../protocol/rest/push.ts';
import type { Sessions } from '../../../features/identity/sessions.ts';
import type { PushSubscriptions } from '../../../features/push/subscriptions.ts';
import { createAuthenticate, identityOf } from '../authenticate.ts';
import { NO_BODY, type ZodTypeProvider } from '../schemas.ts';

export interface PushRoutesParts {
  sessions: Sessions;
  push: PushSubscriptions;
}

export function registerPushRoutes(app: FastifyInstance, { sessions, push }: PushRoutesParts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const onRequest = createAuthenticate(sessions);
  const path = `${API_PREFIX}/me/push`;

  routes.get(`${path}/key`, { onRequest, schema: { response: { 200: pushKeyResponse } } }, async () => ({
    public_key: await push.publicKey(),
  }));

  routes.put(
    path,
    { onRequest, schema: { body: pushSubscriptionBody, response: NO_BODY } },
    async (request, reply) => {
      await push.put(identityOf(request), request.body);
      return reply.code(204).send();
    },
  );

  routes.delete(
    path,
    { onRequest, schema: { body: pushEndpointBody, response: NO_BODY } },
    async (request, reply) => {
      await push.remove(identityOf(request).userId, request.body.endpoint);
      return reply.code(204).send();
    },
  );

  routes.post(
    `${path}/test`,
    { onRequest, schema: { body: pushTestBody, response: { 202: pushTestResponse } } },
    async (request, reply) => {
      const subscriptions = await push.sendTest(identityOf(request).userId, request.body);
      return reply.code(202).send({ subscriptions });
    },
  );
}
