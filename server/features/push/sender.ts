/**
 * Sends notifications to the browsers of a user, by Web Push (RFC 8030), encrypted for each of them alone (RFC 8291).
 * It tries once, and says what became of it: when to try again is the caller's to decide.
 */
import type { PushPayload } from '../../../protocol/rest/push.ts';
import type { PushSubscriptionRow, Store } from '../../data/storage/store.ts';
import { within } from '../../platform/deadline.ts';
import { type Logger, throttled } from '../../platform/log.ts';
import { OutgoingError } from '../../platform/outgoing/error.ts';
import type { Outgoing } from '../../platform/outgoing/outgoing.ts';
import type { PushKeys, VapidKeys } from './keys.ts';
import { encodePayload, topicOf } from './payload.ts';

/** How long a push service keeps a message for a browser that is offline. */
const TTL_S = 86_400;
/** Messages that are being sent or wait for their turn; further ones are to be sent later. */
const MAX_AT_ONCE = 2000;
/** To one push service: most browsers of a team have the same one, which is an exchange of 100 ms away. */
const SERVICE_AT_ONCE = 16;
/**
 * Messages to the browsers of one user at once. Push services may take long, and others wait for the same few slots.
 */
const PER_USER = 2;
/** Notifications of one user that are being sent or wait for their turn. */
const MAX_TURNS = 8;
/** Refused messages in a row, after which a subscription is deleted. */
const MAX_FAILURES = 10;

/**
 * - `delivered`: the push service has accepted it.
 * - `gone`: the browser has ended the subscription, which is deleted.
 * - `later`: the push service was busy or could not be reached; sending again may succeed.
 * - `failed`: the push service refused it, or its address is not allowed. Sending again would fail, too.
 */
export type PushOutcome = 'delivered' | 'gone' | 'later' | 'failed';

export interface PushResult {
  /** Names the subscription, for another try. A secret: it must not be logged. */
  endpoint: string;
  outcome: PushOutcome;
  /** After `later`, when the push service has said so. */
  retryAfterMs?: number;
}

export interface PushOptions {
  /** `high` wakes a phone that saves energy. */
  urgency?: 'normal' | 'high';
  /** Only these subscriptions, as named by an earlier result. */
  only?: readonly string[];
}

export interface SenderOptions {
  store: Store;
  keys: PushKeys;
  outgoing: Outgoing;
  log: Logger;
  /** An address of the operator, for the push service: a URL with https or mailto. */
  contact: string;
  /** Unix milliseconds. */
  now?: () => number;
}

export class Sender {
  readonly #options: Required<SenderOptions>;
  readonly #running = new Set<Promise<unknown>>();
  /** By user: notifications go out one after the other. */
  readonly #turns = new Map<number, { last: Promise<unknown>; count: number }>();
  readonly #logFailed: (failure: { host: string; status?: number; reason?: string }) => void;
  #isStopped = false;

  constructor(options: SenderOptions) {
    this.#options = { now: Date.now, ...options };
    this.#logFailed = throttled((failure, count) =>
      options.log.warn({ ...failure, count }, 'notifications were refused by a push service'),
    );
  }

  /**
   * Sends a notification to all of the user's subscriptions, and returns what became of each. Rejects only when the
   * store does.
   */
  async send(userId: number, payload: PushPayload, options: PushOptions = {}): Promise<PushResult[]> {
    const { store, keys, now } = this.#options;
    const { only } = options;
    const all = await store.pushSubscriptions({ userId, now: now() });
    const rows = only === undefined ? all : all.filter(({ endpoint }) => only.includes(endpoint));
    if (rows.length === 0) return [];
    const vapid = await keys.get();
    return await this.#inTurn(userId, rows, async (row) => {
      const { endpoint } = row;
      if (this.#isStopped || this.#running.size >= MAX_AT_ONCE) return { endpoint, outcome: 'later' };
      const sent = this.#sendOne(row, payload, vapid, options);
      this.#running.add(sent);
      try {
        return { endpoint, ...(await sent) };
      } finally {
        this.#running.delete(sent);
      }
    });
  }

  /** Sends to a few browsers of the user at a time, once what was to be sent to them before is sent. */
  async #inTurn(
    userId: number,
    rows: readonly PushSubscriptionRow[],
    send: (row: PushSubscriptionRow) => Promise<PushResult>,
  ): Promise<PushResult[]> {
    const turn = this.#turns.get(userId) ?? { last: Promise.resolve(), count: 0 };
    if (turn.count >= MAX_TURNS) return rows.map(({ endpoint }) => ({ endpoint, outcome: 'later' }));
    this.#turns.set(userId, turn);
    turn.count++;
    const results: PushResult[] = [];
    const queue = rows.entries();
    const sendSome = async () => {
      for (const [index, row] of queue) results[index] = await send(row);
    };
    const sent = turn.last.then(() => Promise.all(Array.from({ length: PER_USER }, sendSome)));
    turn.last = sent.catch(() => undefined);
    try {
      await sent;
    } finally {
      turn.count--;
      if (turn.count === 0) this.#turns.delete(userId);
    }
    return results;
  }

  /** How many browsers of the user receive notifications. */
  async count(userId: number): Promise<number> {
    const { store, now } = this.#options;
    return (await store.pushSubscriptions({ userId, now: now() })).length;
  }

  /** Sends no more, and waits at most `graceMs` for what is under way, which then ends with `later`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    await within(graceMs, Promise.allSettled(this.#running), 'late').catch(() => undefined);
    this.#options.outgoing.stop();
    await Promise.allSettled(this.#running);
  }

  async #sendOne(row: PushSubscriptionRow, payload: PushPayload, vapid: VapidKeys, options: PushOptions) {
    const { store } = this.#options;
    const { endpoint, failures } = row;
    const result = await this.#deliver(row, payload, vapid, options);
    const { outcome } = result;
    // Most are delivered, and then there is nothing to write.
    const isAsBefore = outcome === 'later' || (outcome === 'delivered' && failures === 0);
    if (!isAsBefore) await store.settlePush({ endpoint, outcome, maxFailures: MAX_FAILURES });
    return result;
  }

  async #deliver(
    { endpoint, p256dh, auth }: PushSubscriptionRow,
    payload: PushPayload,
    vapid: VapidKeys,
    { urgency = 'normal' }: PushOptions,
  ): Promise<Omit<PushResult, 'endpoint'>> {
    const { host } = new URL(endpoint);
    try {
      // Loaded with the first notification: most of the memory that it takes is spared where nobody subscribes.
      const { default: webPush } = await import('web-push');
      // Encrypted when its turn has come: it takes a millisecond of the event loop.
      const encrypted = () => {
        const { headers, body } = webPush.generateRequestDetails(
          { endpoint, keys: { p256dh, auth } },
          encodePayload(payload),
          {
            TTL: TTL_S,
            urgency,
            topic: topicOf(payload.tag, vapid),
            contentEncoding: 'aes128gcm',
            vapidDetails: { subject: this.#options.contact, ...vapid },
          },
        );
        return { method: 'POST' as const, headers: lowerCase(headers), ...(body && { body }) };
      };
      const { outgoing } = this.#options;
      const response = await outgoing.request(endpoint, encrypted, { atOnce: SERVICE_AT_ONCE });
      const outcome = outcomeOf(response.status);
      if (outcome === 'failed') this.#logFailed({ host, status: response.status });
      const retryAfterMs = Number(response.headers['retry-after']) * 1000;
      return outcome === 'later' && retryAfterMs > 0 ? { outcome, retryAfterMs } : { outcome };
    } catch (error) {
      const reason = error instanceof OutgoingError ? error.reason : 'not encrypted';
      if (reason !== 'refused' && reason !== 'too_large' && reason !== 'not encrypted')
        return { outcome: 'later' };
      this.#logFailed({ host, reason });
      return { outcome: 'failed' };
    }
  }
}

/** What a push service's response means (RFC 8030 §5 and §7.3). */
function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 404 || status === 410) return 'gone';
  return status === 408 || status === 429 || status >= 500 ? 'later' : 'failed';
}

function lowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
