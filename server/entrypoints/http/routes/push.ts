/** Web Push: the key, the user's subscriptions, and a test notification. */
import type { PushSubscriptions } from '../../../features/push/subscriptions.ts';
import type { On } from '../endpoints.ts';

export interface PushRoutesParts {
  push: PushSubscriptions;
}

export function registerPushRoutes(on: On, { push }: PushRoutesParts): void {
  on('GET /api/v1/me/push/key', async () => ({ public_key: await push.publicKey() }));
  on('PUT /api/v1/me/push', ({ identity, body }) => push.put(identity, body));
  on('DELETE /api/v1/me/push', ({ userId, body }) => push.remove(userId, body.endpoint));
  on('POST /api/v1/me/push/test', async ({ userId, body }) => ({
    subscriptions: await push.sendTest(userId, body),
  }));
}
