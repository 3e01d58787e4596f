import { RECONNECT } from '../../protocol/limits.ts';

/**
 * The delay in milliseconds before reconnect number `attempt` (from 0): 1.0, 1.5, 2.25 … s, at most 15 s, each with
 * up to 10 % of jitter. `random` returns 0 ≤ x < 1.
 */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const delayMs = RECONNECT.firstMs * RECONNECT.factor ** attempt;
  return Math.min(RECONNECT.capMs, delayMs * (1 + random() * 0.1));
}

/**
 * The delay in milliseconds before retry number `attempt` (from 0) when the server may have named a minimum, as in
 * `Retry-After`. Clients behind one address are refused at the same time and with the same value, so their retries are
 * spread over as long again: between one and two times the delay.
 */
export function retryDelayMs(attempt: number, atLeastMs: number | undefined, random: () => number): number {
  const scheduledMs = reconnectDelayMs(attempt, random);
  return atLeastMs ? Math.max(scheduledMs, atLeastMs) * (1 + random()) : scheduledMs;
}
