/** What belongs to one member: the read mark, notification settings, and the count of unread messages. */
import { UNREAD_MAX } from '../../../../protocol/limits.ts';
import type {
  MemberReads,
  MembershipRow,
  MemberWrites,
  PrefsChange,
  ReadMarkChange,
  UnreadRow,
} from '../store.ts';
import { countMentions, findThreadMentions } from './inbox.ts';
import { TEXT } from './message-rows.ts';
import { list, sql } from './sql.ts';
import { findLive, findMembership } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

/** Counting one room visits at most this number of its events. */
const UNREAD_VISITS = 1000;
const MARKS_MAX = 200;
const UNREAD_ROOMS = 50;

export const markWrites: AsSteps<Pick<MemberWrites, 'setPrefs' | 'markRead'>> = {
  *setPrefs(prefs) {
    const member = yield* findMembership(prefs);
    if (!member || member.leftAt !== null || !(yield* findLive([prefs.userId])).has(prefs.userId))
      return undefined;
    const next = yield* withPrefs(member, prefs);
    const { notify, notifyMutedUntil, threads, starred, hidden } = next;
    if (JSON.stringify(next) === JSON.stringify(member)) return { member };
    const userSeq = yield* nextUserSeq(member.userId);
    yield* run(sql`
      UPDATE members SET notify = ${notify}, notify_muted_until = ${notifyMutedUntil}, threads = ${threads},
        starred = ${starred ? 1 : 0}, hidden = ${hidden ? 1 : 0}, user_seq = ${userSeq}
      WHERE user_id = ${member.userId} AND room_id = ${member.roomId}`);
    return { member: { ...next, userSeq } };
  },

  *markRead(marks) {
    const changed: MembershipRow[] = [];
    // By user and room: personal commands that run at once on PostgreSQL then wait for each other, and never in a
    // circle.
    const inOrder = marks
      .slice(0, MARKS_MAX)
      .toSorted((one, other) => one.userId - other.userId || one.roomId - other.roomId);
    const live = yield* findLive(inOrder.map(({ userId }) => userId));
    for (const mark of inOrder) {
      const member = live.has(mark.userId) ? yield* setMark(mark) : undefined;
      if (member) changed.push(member);
    }
    return changed;
  },
};

export const markReads: AsSteps<Pick<MemberReads, 'unread'>> = {
  *unread({ userId, roomIds }) {
    const wanted = [...new Set(roomIds.slice(0, UNREAD_ROOMS))];
    if (wanted.length === 0) return [];
    const places = yield* all<Place>(sql`
      SELECT room.id AS "roomId", room.seq, room.number, own.read_seq AS "readSeq", own.read_number AS "readNumber"
      FROM members AS own JOIN rooms AS room ON room.id = own.room_id
      WHERE own.user_id = ${userId} AND own.left_at IS NULL AND own.room_id IN (${list(wanted)})`);
    if (places.length === 0) return [];
    const inThreads = yield* findThreadMentions(userId, wanted);
    const rows: UnreadRow[] = [];
    for (const place of places) {
      const threadMentions = inThreads.get(place.roomId) ?? [];
      rows.push({ ...(yield* countUnread(userId, place)), threadMentions });
    }
    return rows;
  },
};

/** A room's head, and a member's read mark in it. */
interface Place {
  roomId: number;
  seq: number;
  number: number;
  readSeq: number;
  readNumber: number;
}

/**
 * A mark rises, or is set on purpose with a new `readSet`, which a former member who comes back gets, too. So
 * `(readSet, readSeq)` only grows, and a client can tell from any later membership that its mark was written, or was
 * ignored. Undefined when nothing has changed.
 */
function* setMark({ userId, roomId, seq, known, unread }: ReadMarkChange): Steps<MembershipRow | undefined> {
  const member = yield* findMembership({ roomId, userId });
  const room = yield* first<{ seq: number }>(sql`SELECT seq FROM rooms WHERE id = ${roomId}`);
  if (!room || !member || member.leftAt !== null || seq < 0 || seq > room.seq) return undefined;
  // A repeated mark, or one of a device that does not know of the latest `readSet`, undoes nothing.
  if (known < member.readSet || (!unread && seq <= member.readSeq)) return undefined;
  const at = yield* first<{ number: number }>(sql`
    SELECT coalesce(number, seq) AS number FROM messages WHERE room_id = ${roomId} AND seq = ${seq}`);
  const userSeq = yield* nextUserSeq(userId);
  const readSet = unread ? userSeq : member.readSet;
  yield* run(sql`
    UPDATE members SET read_seq = ${seq}, read_number = ${at?.number ?? 0}, read_set = ${readSet},
      user_seq = ${userSeq}
    WHERE user_id = ${userId} AND room_id = ${roomId}`);
  return { ...member, readSeq: seq, readSet, userSeq };
}

/**
 * Texts of the main flow after the mark, without the user's own, deleted ones, and those of blocked people; mentions.
 */
function* countUnread(userId: number, place: Place): Steps<Omit<UnreadRow, 'threadMentions'>> {
  const { roomId, seq, number, readSeq, readNumber } = place;
  if (seq === readSeq) return { roomId, unread: 0, mentions: 0, isInexact: false };
  const mentions = yield* countMentions(userId, place);
  if (number === readNumber) return { roomId, unread: 0, mentions, isInexact: false };
  const found = yield* first<{ count: number }>(sql`
    SELECT count(*) AS count FROM (
      SELECT 1 FROM (
        SELECT user_id, kind, thread_id, deleted_at FROM messages
        WHERE room_id = ${roomId} AND seq > ${readSeq} ORDER BY seq LIMIT ${UNREAD_VISITS}) AS visited
      WHERE kind = ${TEXT} AND thread_id IS NULL AND deleted_at IS NULL AND user_id <> ${userId}
        AND user_id NOT IN (SELECT blocked_id FROM blocks WHERE user_id = ${userId} AND removed = 0)
      LIMIT ${UNREAD_MAX}) AS found`);
  const count = found?.count ?? 0;
  if (count === UNREAD_MAX) return { roomId, unread: count, mentions, isInexact: true };
  // Every event of the room has one row, so the difference is how many a whole count would have visited.
  const isInexact = seq - readSeq > UNREAD_VISITS;
  const unread = isInexact ? Math.min(number - readNumber, UNREAD_MAX) : count;
  return { roomId, unread, mentions, isInexact };
}

function* withPrefs(member: MembershipRow, prefs: PrefsChange): Steps<MembershipRow> {
  const { notify, notifyMutedUntil, threads, starred, hidden } = prefs;
  const room = yield* first<{ kind: string }>(sql`SELECT kind FROM rooms WHERE id = ${member.roomId}`);
  return {
    ...member,
    notify: notify === undefined ? member.notify : notify,
    notifyMutedUntil: notifyMutedUntil === undefined ? member.notifyMutedUntil : notifyMutedUntil,
    threads: threads === undefined ? member.threads : threads,
    starred: starred ?? member.starred,
    hidden: room?.kind === 'dm' ? (hidden ?? member.hidden) : member.hidden,
  };
}
