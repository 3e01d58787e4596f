/** Reading a user's log: rows of several tables, in the order of one number. */
import type { UserRole } from '../../../../protocol/people.ts';
import type { LeftBy, LoggedMembershipRow, MemberReads, SavedMarkRow, ThreadMarkRow } from '../store.ts';
import { selectLogged } from './inbox.ts';
import { list, sql } from './sql.ts';
import { selectMemberships } from './standing.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';
import { FOLLOWING, THREAD_MEMBERS } from './thread-members.ts';

interface Page {
  userId: number;
  after: number;
  limit: number;
}

export const userLogReads: AsSteps<Pick<MemberReads, 'userLog'>> = {
  *userLog(page) {
    const { userId, after, limit } = page;
    const log = yield* first<{ seq: number; floor: number; role: UserRole }>(sql`
      SELECT coalesce(log.seq, 0) AS seq, coalesce(log.floor, 0) AS floor, users.role
      FROM users LEFT JOIN user_logs AS log ON log.user_id = users.id WHERE users.id = ${userId}`);
    // A user who is not there may read nothing.
    const { seq, floor, role } = log ?? { seq: 0, floor: 0, role: 'guest' };
    // Nearly every line asks for a log that has nothing new.
    if (seq <= after)
      return { seq, floor, role, upTo: after, members: [], inbox: [], threads: [], saved: [] };
    const members = yield* selectMembers(page);
    const inbox = yield* selectLogged(page);
    const threads = yield* selectThreads(page);
    const saved = yield* selectSaved(page);
    // A kind that fills its page may have more rows after the last one, which come before later rows of other kinds.
    const ends = [members, inbox, threads, saved].flatMap((rows) =>
      rows.length < limit ? [] : [rows.at(-1)?.userSeq ?? after],
    );
    const upTo = Math.min(Math.max(seq, after), ...ends);
    const isIn = (row: { userSeq: number }) => row.userSeq <= upTo;
    return {
      seq,
      floor,
      role,
      upTo,
      members: members.filter(isIn),
      inbox: inbox.filter(isIn),
      threads: threads.filter(isIn),
      saved: saved.filter(isIn),
    };
  },
};

function* selectMembers({ userId, after, limit }: Page): Steps<LoggedMembershipRow[]> {
  const which = sql`WHERE user_id = ${userId} AND user_seq > ${after} ORDER BY user_seq LIMIT ${limit}`;
  const members = yield* selectMemberships(which);
  const left = members.flatMap(({ roomId, leftAt }) => (leftAt === null ? [] : [roomId]));
  if (left.length === 0) return members.map((member) => ({ leftBy: null, ...member }));
  // The audit log and the room have the moment of the loss, as the membership has.
  const ends = yield* all<{ roomId: number; leftBy: LeftBy }>(sql`
    SELECT members.room_id AS "roomId",
      CASE
        WHEN rooms.deleted_at = members.left_at THEN 'deleted'
        WHEN EXISTS (
          SELECT 1 FROM audit_log AS entry
          WHERE entry.user_id = members.user_id AND entry.room_id = members.room_id
            AND entry.at = members.left_at AND entry.action IN ('removed', 'banned')) THEN 'removed'
        ELSE 'left'
      END AS "leftBy"
    FROM members JOIN rooms ON rooms.id = members.room_id
    WHERE members.user_id = ${userId} AND members.room_id IN (${list(left)})`);
  const leftBy = new Map(ends.map((end) => [end.roomId, end.leftBy]));
  return members.map((member) => ({
    ...member,
    leftBy: member.leftAt === null ? null : (leftBy.get(member.roomId) ?? 'left'),
  }));
}

function* selectThreads({ userId, after, limit }: Page): Steps<ThreadMarkRow[]> {
  const rows = yield* all<Omit<ThreadMarkRow, 'isFollowing'> & { following: number | null }>(sql`
    SELECT own.room_id AS "roomId", own.thread_id AS "threadId", ${FOLLOWING} AS following,
      own.read_seq AS "readSeq", own.user_seq AS "userSeq"
    FROM ${THREAD_MEMBERS}
    WHERE own.user_id = ${userId} AND own.user_seq > ${after} ORDER BY own.user_seq LIMIT ${limit}`);
  return rows.map(({ following, ...row }) => ({ ...row, isFollowing: following === 1 }));
}

function* selectSaved({ userId, after, limit }: Page): Steps<SavedMarkRow[]> {
  const rows = yield* all<Omit<SavedMarkRow, 'removed'> & { removedAt: number | null }>(sql`
    SELECT room_id AS "roomId", message_id AS "messageId", note, removed_at AS "removedAt",
      user_seq AS "userSeq"
    FROM saved WHERE user_id = ${userId} AND user_seq > ${after} ORDER BY user_seq LIMIT ${limit}`);
  return rows.map(({ removedAt, ...row }) => ({ ...row, removed: removedAt !== null }));
}
