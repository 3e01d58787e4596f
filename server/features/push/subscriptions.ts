/** The browsers in which a user wants notifications. */
import { ECDH } from 'node:crypto';
import { AppError } from '../../../protocol/errors.ts';
import { PUSH_SUBSCRIPTIONS_MAX } from '../../../protocol/limits.ts';
import type { PushPayload, PushSubscriptionBody } from '../../../protocol/rest/push.ts';
import type { Store } from '../../data/storage/store.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { Identity } from '../identity/tokens.ts';
import type { PushKeys } from './keys.ts';
import type { Sender } from './sender.ts';

/** Google's service before Web Push. It takes no VAPID keys, and no browser names it any more. */
const BEFORE_WEB_PUSH = 'https://android.googleapis.com/gcm/send';

export interface PushSubscriptionsOptions {
  store: Store;
  keys: PushKeys;
  sender: Sender;
  outgoing: Outgoing;
  /** Counts changes and test notifications, by user; undefined: no limit. */
  changes: Limiter | undefined;
  /** Unix milliseconds. */
  now?: () => number;
}

export class PushSubscriptions {
  readonly #options: Required<PushSubscriptionsOptions>;

  constructor(options: PushSubscriptionsOptions) {
    this.#options = { now: Date.now, ...options };
  }

  /** With which browsers subscribe. */
  async publicKey(): Promise<string> {
    return (await this.#options.keys.get()).publicKey;
  }

  /**
   * Adds a browser, or renews it. It belongs to the session of the request, and ends with it. Throws `invalid_payload`
   * for an address that no push service can have, and for keys that nothing can be encrypted with.
   */
  async put({ userId, sessionId }: Identity, { endpoint, keys }: PushSubscriptionBody): Promise<void> {
    const { store, changes, now } = this.#options;
    const { p256dh, auth } = keys;
    if (!this.#isAllowed(endpoint) || !isPoint(p256dh)) throw new AppError('invalid_payload');
    await takeOrRefuse(changes, String(userId));
    const isPut = await store.putPushSubscription({
      userId,
      sessionId,
      endpoint,
      p256dh,
      auth,
      now: now(),
      maxPerUser: PUSH_SUBSCRIPTIONS_MAX,
    });
    // The session ended after the token was checked.
    if (!isPut) throw new AppError('invalid_token');
  }

  async remove(userId: number, endpoint: string): Promise<void> {
    await this.#options.store.deletePushSubscription({ userId, endpoint });
  }

  /** Sends a notification to the user's own browsers, and does not wait for it. Returns how many there are. */
  async sendTest(userId: number, texts: { title: string; body: string }): Promise<number> {
    const { sender, changes } = this.#options;
    await takeOrRefuse(changes, String(userId));
    const count = await sender.count(userId);
    const payload: PushPayload = { ...texts, url: '/', tag: 'test' };
    // What became of it is logged. A store that fails says so at the next request.
    void sender.send(userId, payload, { urgency: 'high' }).catch(() => undefined);
    return count;
  }

  #isAllowed(endpoint: string): boolean {
    const { outgoing } = this.#options;
    if (!URL.canParse(endpoint) || endpoint.startsWith(BEFORE_WEB_PUSH)) return false;
    return (
      outgoing.mayOpen(endpoint) && (new URL(endpoint).protocol === 'https:' || outgoing.isNamed(endpoint))
    );
  }
}

/** Whether the key is a point of the curve P-256. */
function isPoint(p256dh: string): boolean {
  try {
    const key = Buffer.from(p256dh, 'base64url');
    return key.length === 65 && ECDH.convertKey(key, 'prime256v1').length > 0;
  } catch {
    return false;
  }
}
