/** How often one user, or one address, may do what writes much or lets somebody guess. */
import type { Config } from '../../platform/config.ts';
import type { Limiter } from '../../platform/limits/limiter.ts';
import type { Limits } from '../../platform/limits/limits.ts';
import type { BucketRate } from '../../platform/limits/token-bucket.ts';

const SECOND_US = 1_000_000;
const MINUTE_US = 60 * SECOND_US;
const HOUR_US = 60 * MINUTE_US;
/**
 * Changes of rooms and of their members by one user. At their largest they are about as much text as the same user may
 * post.
 */
const ROOM_CHANGES = { capacity: 60, refill: 1, refillIntervalUs: SECOND_US };
/** Edits, deletions, reactions, pins and bookmarks of one user. */
const MESSAGE_CHANGES = { capacity: 40, refill: 10, refillIntervalUs: SECOND_US };
const PROFILE_CHANGES = { capacity: 30, refill: 1, refillIntervalUs: 2 * SECOND_US };
/** Push subscriptions, and test notifications. */
const PUSH_CHANGES = { capacity: 20, refill: 1, refillIntervalUs: 10 * SECOND_US };
/** Searches of one user: as many as somebody types. */
const SEARCHES = { capacity: 20, refill: 5, refillIntervalUs: SECOND_US };
const FAILED_LOGINS = { capacity: 10, refill: 10, refillIntervalUs: MINUTE_US };

export interface Budgets {
  failedLogins: Limiter;
  newAccounts: Limiter | undefined;
  /** Tries of invitations. */
  inviteTries: Limiter | undefined;
  roomChanges: Limiter | undefined;
  messageChanges: Limiter | undefined;
  profileChanges: Limiter | undefined;
  pushChanges: Limiter | undefined;
  searches: Limiter | undefined;
}

/** Undefined: no limit. Where messages have none, changes have none, either. */
export function createBudgets(
  { messageLimit, accountsPerHour, inviteTriesPerMinute }: Config,
  limits: Limits,
): Budgets {
  const changesOf = (what: string, rate: BucketRate) =>
    isOff(messageLimit) ? undefined : limits.limiter(`changes of ${what}`, rate);
  return {
    failedLogins: limits.limiter('failed logins', FAILED_LOGINS),
    newAccounts: perAddress(limits, 'new accounts', accountsPerHour, HOUR_US),
    inviteTries: perAddress(limits, 'invitations', inviteTriesPerMinute, MINUTE_US),
    roomChanges: changesOf('rooms', ROOM_CHANGES),
    messageChanges: changesOf('messages', MESSAGE_CHANGES),
    profileChanges: changesOf('profiles', PROFILE_CHANGES),
    searches: isOff(messageLimit) ? undefined : limits.limiter('searches', SEARCHES),
    pushChanges: changesOf('push subscriptions', PUSH_CHANGES),
  };
}

/** `count` in each interval; 0: no limit. */
function perAddress(limits: Limits, name: string, count: number, intervalUs: number): Limiter | undefined {
  if (count === 0) return undefined;
  return limits.limiter(name, { capacity: count, refill: count, refillIntervalUs: intervalUs });
}

/** Whether messages have no limit. */
export function isOff({ perSecond, burst }: Config['messageLimit']): boolean {
  return perSecond === 0 || burst === 0;
}
