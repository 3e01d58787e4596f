/** Requests about Web Push. */
import type { Requests } from '../../../client/index.ts';
import type { PushSubscriptionBody } from '../../../protocol/rest/push.ts';
import { chat } from './chat.ts';

/** Every method rejects with an `ApiError`. */
export interface PushApi {
  /** The `applicationServerKey` to subscribe with, as base64url. */
  key(): Promise<string>;
  /** Adds a browser, or renews it: what `PushSubscription.toJSON()` returns. */
  subscribe(subscription: PushSubscriptionBody): Promise<void>;
  unsubscribe(endpoint: string): Promise<void>;
  /** Sends a notification to all browsers of the user, and returns how many there are. */
  sendTest(texts: { readonly title: string; readonly body: string }): Promise<number>;
}

/** In the name of the signed-in user. */
export function pushRequests({ ask, tell }: Requests = chat().api.requests): PushApi {
  return {
    key: async () => (await ask('GET', '/me/push/key', hasKey)).public_key,
    subscribe: (subscription) => tell('PUT', '/me/push', subscription),
    unsubscribe: (endpoint) => tell('DELETE', '/me/push', { endpoint }),
    sendTest: async (texts) => (await ask('POST', '/me/push/test', hasCount, texts)).subscriptions,
  };
}

function hasKey(body: unknown): body is { public_key: string } {
  return typeof (body as { public_key?: unknown } | null)?.public_key === 'string';
}

function hasCount(body: unknown): body is { subscriptions: number } {
  return typeof (body as { subscriptions?: unknown } | null)?.subscriptions === 'number';
}
