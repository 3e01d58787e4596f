import { RECONNECT } from '../../protocol/limits.ts';

/** Whatever a server asks for: nobody stays away for longer, as it may mean nothing any more. */
export const LONGEST_PAUSE_MS = 60_000;

/**
 * How long to wait before reconnect number `attempt` (from 0), in milliseconds: 1.0, 1.5, 2.25 … s, each with 0-10 %
 * on top so that a crowd does not come back in one instant, and never above 15 s. `random` gives 0 ≤ x < 1.
 */
export function reconnectDelayMs(attempt: number, random: () => number): number {
  const delayMs = RECONNECT.firstMs * RECONNECT.factor ** attempt;
  return Math.min(RECONNECT.capMs, delayMs * (1 + random() * 0.1));
}
