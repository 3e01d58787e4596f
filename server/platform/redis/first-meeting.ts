/**
 * Before a process serves: whether its database is a copy of the one whose processes are on this Redis already. A copy
 * has the names of its original, and must not share its channels, rosters and limits.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Peers } from './peers.ts';
import type { Redis } from './redis.ts';

/** A process that serves touches its row each second. */
const LISTED_WITHIN_MS = 3000;
/**
 * Between two heartbeats, 5 s apart, a process has touched its row: a busy one is not taken for one of another
 * database.
 */
const CLAIMS = 2;
const HEARD_WITHIN_MS = 12_000;
const ASK_EVERY_MS = 250;

/** A heartbeat (features/presence/cluster/redis-exchange.ts) of a process that its own database lists. */
const claim = z.object({
  notice: z.object({
    type: z.literal('heartbeat'),
    from: z.string(),
    hasDatabase: z.literal(true),
    isListed: z.literal(true),
  }),
});

export interface MeetingParts {
  redis: Pick<Redis, 'connectedNow' | 'subscribe' | 'unsubscribe' | 'processId'>;
  peers: Peers;
}

/**
 * Resolves with true when a process that writes to its database serves here, and ours lists neither it nor any other.
 * Rejects when Redis or the database is away.
 */
export async function meetsOriginal({ redis, peers }: MeetingParts): Promise<boolean> {
  const claims = new Map<string, number>();
  const others = async () => (await redis.connectedNow()).filter((id) => id !== redis.processId);
  if ((await others()).length === 0) return false;
  await redis.subscribe('presence', (payload) => {
    const from = claimantOf(payload);
    if (from !== undefined) claims.set(from, (claims.get(from) ?? 0) + 1);
  });
  try {
    const begunAt = performance.now();
    for (;;) {
      const connected = await others();
      const claimants = connected.filter((id) => (claims.get(id) ?? 0) >= CLAIMS);
      const listed = await peers.among(connected);
      const waitedMs = performance.now() - begunAt;
      if (listed.length === connected.length) return false;
      if (waitedMs >= LISTED_WITHIN_MS) {
        if (listed.length > 0) return false;
        if (claimants.length > 0) return true;
        if (waitedMs >= HEARD_WITHIN_MS) return false;
      }
      await sleep(ASK_EVERY_MS);
    }
  } finally {
    redis.unsubscribe('presence');
  }
}

function claimantOf(payload: string): string | undefined {
  try {
    return claim.parse(JSON.parse(payload)).notice.from;
  } catch {
    return undefined;
  }
}
