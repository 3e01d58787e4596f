/** The members of a room. */
import type { MemberReads, MemberRow, MembersQuery } from '../store.ts';
import { ALL, type Piece, type Scanned } from './pieces.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, type Steps } from './steps.ts';
import { beginsWith } from './user-words.ts';

/**
 * A beginning that this number of words share is looked up by the index; for a more frequent one members are scanned.
 */
const RARE_WORDS = 1000;

export const memberListReads: AsSteps<Pick<MemberReads, 'members'>> = {
  *members(query) {
    return (yield* membersPiece({ ...query, scan: ALL })).rows;
  },
};

/** Scans members by id; `from`: the id that the last piece has reached. */
export type MembersPiece = Piece<MembersQuery, number>;

/** A part of `members`. */
export function* membersPiece({
  roomId,
  limit,
  afterId = 0,
  start,
  scan,
  from,
}: MembersPiece): Steps<Scanned<MemberRow, number>> {
  const after = from ?? afterId;
  if (!start) return { rows: yield* select(roomId, { limit, after }), reached: undefined };
  if (yield* isRare(start)) {
    const named = sql`member.user_id IN (SELECT user_id FROM user_words WHERE ${beginsWith(start)})`;
    return { rows: yield* select(roomId, { limit, after, named }), reached: undefined };
  }
  const end = yield* first<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM members WHERE room_id = ${roomId} AND left_at IS NULL AND user_id > ${after}
    ORDER BY user_id LIMIT 1 OFFSET ${scan - 1}`);
  const until = end ? sql`member.user_id <= ${end.userId}` : sql`true`;
  const named = sql`${until} AND EXISTS (
    SELECT 1 FROM user_words WHERE user_id = member.user_id AND ${beginsWith(start)})`;
  return { rows: yield* select(roomId, { limit, after, named }), reached: end?.userId };
}

function* isRare(start: string): Steps<boolean> {
  const next = yield* first(sql`
    SELECT 1 FROM user_words WHERE ${beginsWith(start)} ORDER BY word LIMIT 1 OFFSET ${RARE_WORDS}`);
  return next === undefined;
}

function* select(
  roomId: number,
  { limit, after, named = sql`true` }: { limit: number; after: number; named?: Sql },
): Steps<MemberRow[]> {
  return yield* all(sql`
    SELECT person.id AS "userId", person.username, person.display_name AS "displayName", member.role,
      member.joined_at AS "joinedAt"
    FROM members AS member JOIN users AS person ON person.id = member.user_id
    WHERE member.room_id = ${roomId} AND member.left_at IS NULL AND member.user_id > ${after} AND ${named}
    ORDER BY member.user_id LIMIT ${limit}`);
}
