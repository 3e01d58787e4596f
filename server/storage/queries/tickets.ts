/** Spent WebSocket tickets: one row each, so that one-time means once, across restarts and processes. */
import { sql } from './sql.ts';
import { all, first, type Steps } from './steps.ts';

/** A spent ticket is remembered past its life, so that a clock set back does not revive it. */
const KEEP_SPENT_MS = 2 * 3_600_000;

export function* spendTicket(ticket: { jti: string; expiresAt: number }): Steps<boolean> {
  const spent = yield* first(sql`
    INSERT INTO spent_tickets (jti, expires_at) VALUES (${ticket.jti}, ${ticket.expiresAt})
    ON CONFLICT (jti) DO NOTHING RETURNING jti`);
  return spent !== undefined;
}

export function* isTicketSpent(jti: string): Steps<boolean> {
  return (yield* first(sql`SELECT jti FROM spent_tickets WHERE jti = ${jti}`)) !== undefined;
}

/** Deletes at most `limit` rows; true when there may be more. */
export function* purgeTickets({ now, limit }: { now: number; limit: number }): Steps<boolean> {
  const tickets = yield* all(sql`
    DELETE FROM spent_tickets
    WHERE jti IN (SELECT jti FROM spent_tickets WHERE expires_at < ${now - KEEP_SPENT_MS} LIMIT ${limit})
    RETURNING jti`);
  return tickets.length === limit;
}
