/** Web Push: the keys of the installation, and the subscriptions of browsers. */

/** Where a browser receives notifications, and the keys that they are encrypted with (RFC 8291), as base64url. */
export interface NewPushSubscription {
  userId: number;
  /** The subscription ends with it. */
  sessionId: number;
  endpoint: string;
  p256dh: string;
  auth: string;
  now: number;
  /** The most that a user may have; beyond it the oldest one is deleted. */
  maxPerUser: number;
}

export interface PushSubscriptionRow {
  endpoint: string;
  p256dh: string;
  auth: string;
  /** Refused messages in a row, up to now. */
  failures: number;
}

export interface PushWrites {
  /** Stores the keys (JSON), unless there are some. Returns those that are stored, for all processes the same. */
  putPushKeys(of: { keys: string }): string;
  /**
   * A known endpoint moves to this user and session, with its new keys. False when the session is not live: nothing is
   * stored.
   */
  putPushSubscription(subscription: NewPushSubscription): boolean;
  /** Deletes this user's subscription; true when there was one. */
  deletePushSubscription(of: { userId: number; endpoint: string }): boolean;
  /**
   * What became of a notification. `gone` deletes the subscription; so does `failed` when it is the `maxFailures`th in
   * a row. `delivered` begins a new row of failures.
   */
  settlePush(of: { endpoint: string; outcome: 'delivered' | 'gone' | 'failed'; maxFailures: number }): void;
}

export interface PushReads {
  pushKeys(): string | undefined;
  /** The user's, of live sessions, oldest first. */
  pushSubscriptions(of: { userId: number; now: number }): PushSubscriptionRow[];
}
