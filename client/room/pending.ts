/** The member's own messages that the server has not confirmed, as the room shows them. */
import type { Message } from '../../protocol/events.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';

export interface PendingMessage {
  readonly cid: string;
  readonly content: string;
  readonly createdAt: number;
  /** `queued`: waits for its turn. `sent`: on its way over the present connection. `failed`: the user decides. */
  readonly status: 'queued' | 'sent' | 'failed';
  /** The code with which the server refused it; null unless it has failed. */
  readonly refusal: string | null;
}

type Pending = readonly PendingMessage[];

/** What the outbox has for the room now. What is on its way is still on its way. */
export function fromOutbox(items: readonly OutboxItem[], before: Pending): Pending {
  const sent = new Set(before.filter((entry) => entry.status === 'sent').map((entry) => entry.cid));
  return items.map(({ cid, content, createdAt, refusal }) => {
    const status = refusal !== null ? 'failed' : sent.has(cid) ? 'sent' : 'queued';
    return { cid, content, createdAt, status, refusal };
  });
}

export function withStatus(
  pending: Pending,
  cids: ReadonlySet<string>,
  status: PendingMessage['status'],
  refusal: string | null = null,
): Pending {
  return pending.map((entry) => (cids.has(entry.cid) ? { ...entry, status, refusal } : entry));
}

/** The connection is gone: nothing is on its way any more. */
export function notOnTheWay(pending: Pending): Pending {
  if (!pending.some((entry) => entry.status === 'sent')) return pending;
  return pending.map((entry) => (entry.status === 'sent' ? { ...entry, status: 'queued' } : entry));
}

export function withoutCids(pending: Pending, cids: ReadonlySet<string>): Pending {
  return pending.some((entry) => cids.has(entry.cid))
    ? pending.filter((entry) => !cids.has(entry.cid))
    : pending;
}

/** The cids of the member's own messages among these. */
export function ownCids(messages: readonly Message[], me: number): ReadonlySet<string> {
  const cids = new Set<string>();
  for (const { user_id, cid } of messages) if (user_id === me && cid !== undefined) cids.add(cid);
  return cids;
}
