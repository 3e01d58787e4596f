/** A user's log: what is a user's own takes its numbers here, one for each durable change. */
import { sql } from './sql.ts';
import { first, type Steps } from './steps.ts';

/** The next number of this user's log. The row that changed keeps it. */
export function* nextUserSeq(userId: number): Steps<number> {
  const log = yield* first<{ seq: number }>(sql`
    INSERT INTO user_logs (user_id, seq) VALUES (${userId}, 1)
    ON CONFLICT (user_id) DO UPDATE SET seq = user_logs.seq + 1 RETURNING seq`);
  if (!log) throw new Error(`the log of user ${userId} gave no number`);
  return log.seq;
}
