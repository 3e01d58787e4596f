/** The user's own messages that the server has not confirmed, as the room shows them. */
import type { Message } from '../../protocol/events.ts';
import type { OutboxFile } from '../outbox/outbox-files.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';

/** An own message that the server has not confirmed. */
export interface PendingMessage {
  readonly cid: string;
  readonly content: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** `queued`: not written yet. `sent`: written to the current connection. `failed`: refused; the user decides. */
  readonly status: 'queued' | 'sent' | 'failed';
  /** The code of the refusal; null unless the message has failed. */
  readonly refusal: string | null;
  /** The message that it answers. */
  readonly replyTo?: number | undefined;
  readonly files?: readonly OutboxFile[] | undefined;
}

type Pending = readonly PendingMessage[];

/** The outbox's items of the room. Those that were written to the current connection stay `sent`. */
export function fromOutbox(items: readonly OutboxItem[], before: Pending): Pending {
  const sent = new Set(before.filter((entry) => entry.status === 'sent').map((entry) => entry.cid));
  return items.map(({ cid, content, createdAt, refusal, replyTo, files }) => {
    const status = refusal !== null ? 'failed' : sent.has(cid) ? 'sent' : 'queued';
    const beside = { ...(replyTo !== undefined && { replyTo }), ...(files && { files }) };
    return { cid, content, createdAt, status, refusal, ...beside };
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

/** The connection is lost: everything that was sent is queued again. */
export function requeued(pending: Pending): Pending {
  if (!pending.some((entry) => entry.status === 'sent')) return pending;
  return pending.map((entry) => (entry.status === 'sent' ? { ...entry, status: 'queued' } : entry));
}

export function withoutCids(pending: Pending, cids: ReadonlySet<string>): Pending {
  return pending.some((entry) => cids.has(entry.cid))
    ? pending.filter((entry) => !cids.has(entry.cid))
    : pending;
}

/** The cids of the user's own messages among these. */
export function ownCids(messages: readonly Message[], me: number): ReadonlySet<string> {
  const cids = new Set<string>();
  for (const { user_id, cid } of messages) if (user_id === me && cid !== undefined) cids.add(cid);
  return cids;
}
