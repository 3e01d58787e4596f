/** All that access depends on, read in one transaction with what it decides. */
import type { UserRole } from '../../../protocol/people.ts';
import type { MembershipRow, Standing } from '../store.ts';
import { roomReads } from './rooms.ts';
import { sql } from './sql.ts';
import { first, type Steps } from './steps.ts';

/** Of a membership, as `MembershipRow` has them. */
export const MEMBER_COLUMNS = sql`room_id AS "roomId", user_id AS "userId", role, joined_at AS "joinedAt",
  left_at AS "leftAt", notify, notify_muted_until AS "notifyMutedUntil", starred, hidden, read_seq AS "readSeq",
  read_set AS "readSet", silenced_until AS "silencedUntil", banned_until AS "bannedUntil", user_seq AS "userSeq"`;

/** As stored: the two databases have no boolean in common. */
export type StoredMembership = Omit<MembershipRow, 'starred' | 'hidden'> & {
  starred: number;
  hidden: number;
};

export function toMembershipRow(stored: StoredMembership): MembershipRow {
  return { ...stored, starred: stored.starred === 1, hidden: stored.hidden === 1 };
}

/** Undefined when there is no such room or user. */
export function* findStanding(of: { roomId: number; userId: number }): Steps<Standing | undefined> {
  const { roomId, userId } = of;
  const room = yield* roomReads.findRoom(roomId);
  const user = yield* first<{ role: UserRole }>(sql`SELECT role FROM users WHERE id = ${userId}`);
  if (!room || !user) return undefined;
  const stored = yield* first<StoredMembership>(
    sql`SELECT ${MEMBER_COLUMNS} FROM members WHERE user_id = ${userId} AND room_id = ${roomId}`,
  );
  return { room, member: stored ? toMembershipRow(stored) : null, userRole: user.role };
}
