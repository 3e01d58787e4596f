/** Users who type, in a cluster: in calm weather, and while the processes that they are connected to die. */

import { TYPING_TTL_MS } from '../../protocol/limits.ts';
import type { Random } from '../support/random.ts';
import type { Action, Plan } from './plan.ts';

const LASTS_MS = 9000;
/** The others have mostly heard of it by then. */
const HEARD_AFTER_MS = 200;

/** Nothing but users who type and send, so that everything must come in time. Changes the plan. */
export function talkCalmly(random: Random, plan: Plan): void {
  const { cluster, pages, weather } = plan;
  if (cluster === null) return;
  cluster.isCalm = true;
  cluster.calls = { unsent: 0, lost: 0, late: 0, slow: 0 };
  cluster.redis = { maxMs: Math.min(cluster.redis.maxMs, 50), loss: 0, duplicates: 0 };
  const maxMs = Math.min(weather.latency.maxMs, 40);
  const fair = { requestLoss: 0, answerLoss: 0, duplicates: 0, refusals: 0, crashAfterCommit: 0 };
  plan.weather = { ...weather, ...fair, latency: { minMs: 0, maxMs } };
  plan.lastsMs = LASTS_MS;
  // The v1 page belongs to the user of the first page: it sends through another process than the page types through.
  plan.hasOldPage = true;
  const atMs = () => random.integer(3000, LASTS_MS);
  plan.actions = Array.from({ length: random.integer(3, 8) }, () => {
    const page = random.integer(0, pages.length - 1);
    const typesAt = atMs();
    const type: Action = { kind: 'type', page, room: 0, atMs: typesAt };
    const sendsAt = typesAt + random.integer(0, TYPING_TTL_MS);
    const say: Action =
      page === 0 && random.next() < 0.6
        ? { kind: 'say over v1', atMs: sendsAt }
        : { kind: 'say', page, room: 0, texts: 1, length: 0, atMs: sendsAt };
    return random.next() < 0.7 ? [type, say] : [type];
  }).flat();
}

/** A user types, and a process dies before it has announced the end. */
export function typistsDie(random: Random, plan: Plan): Action[] {
  const { pages, cluster, lastsMs } = plan;
  return Array.from({ length: random.integer(2, 4) }, () => {
    const atMs = random.integer(0, lastsMs);
    const page = random.integer(0, pages.length - 1);
    const process = random.integer(0, (cluster?.processes ?? 1) - 1);
    const downMs = random.integer(20, 4000);
    const diesAt = atMs + random.integer(HEARD_AFTER_MS, TYPING_TTL_MS);
    return [
      { kind: 'type' as const, page, room: 0, atMs },
      { kind: 'crash' as const, process, downMs, isSilent: random.next() < 0.2, atMs: diesAt },
    ];
  }).flat();
}
