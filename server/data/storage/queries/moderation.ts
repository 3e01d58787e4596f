/** Moderation of a room: mutes, bans and reports. */
import { mayAdminister } from '../../../rules/admin-access.ts';
import { effectiveRole, outranks } from '../../../rules/room-access.ts';
import { memberStateOf, roomStateOf, verdictOn } from '../../../rules/standing.ts';
import type {
  AdministrationReads,
  AdministrationWrites,
  FileRow,
  MembershipRow,
  ReportRow,
  Restriction,
  RoomChange,
  UserRow,
} from '../store.ts';
import { filesOfMessage } from './attach.ts';
import { addAudit, roleOf } from './audit.ts';
import { findKnown, ownRole } from './members.ts';
import { findMessage } from './message-rows.ts';
import {
  addMemberNotice,
  beginWork,
  dropMember,
  endWork,
  isIn,
  type RoomWork,
  refusal,
} from './room-work.ts';
import { type Sql, sql } from './sql.ts';
import { findMembership, findStanding } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { nextUserSeq } from './user-log.ts';

/** What a report keeps of the text. */
const EXCERPT_MAX = 1000;
/** Of the name of a file, so that ten files have place in it. */
const FILE_NAME_KEPT = 20;

type Writes = Pick<AdministrationWrites, 'mute' | 'ban' | 'report' | 'closeReport'>;
type Reads = Pick<AdministrationReads, 'reports' | 'restricted' | 'recentTexts'>;

export const moderationWrites: AsSteps<Writes> = {
  *mute(mute) {
    const begun = yield* begin(mute);
    if ('outcome' in begun) return begun;
    const { work, user, member } = begun;
    if ((member?.silencedUntil ?? null) === mute.until) return { outcome: 'unchanged', room: work.room };
    yield* restrict(work, user.id, sql`silenced_until`, mute.until);
    yield* record(mute, mute.until === null ? 'unmuted' : 'muted');
    return yield* endWork(work);
  },

  *ban(ban) {
    const begun = yield* begin(ban);
    if ('outcome' in begun) return begun;
    const { work, user, member } = begun;
    if ((member?.bannedUntil ?? null) === ban.until) return { outcome: 'unchanged', room: work.room };
    if (ban.until !== null && isIn(member)) {
      yield* addMemberNotice(work, 'removed', { user, role: null });
      yield* dropMember(work, user.id);
    }
    yield* restrict(work, user.id, sql`banned_until`, ban.until);
    yield* record(ban, ban.until === null ? 'unbanned' : 'banned');
    return yield* endWork(work);
  },

  *report({ roomId, messageId, reporterId, reason, note, now }) {
    const standing = yield* findStanding({ roomId, userId: reporterId });
    if (!standing || verdictOn('read', standing, now) !== 'allowed') return { outcome: 'room_not_found' };
    const message = yield* findMessage({ roomId, messageId });
    const isText = message && message.notice === null && (message.facts?.deletedAt ?? null) === null;
    if (!isText) return { outcome: 'message_not_found' };
    if (message.userId === reporterId) return { outcome: 'not_allowed' };
    const files = filesLines(yield* filesOfMessage(message));
    const excerpt = [message.content.slice(0, EXCERPT_MAX - files.length), files].join('');
    yield* run(sql`
      INSERT INTO reports (room_id, message_id, author_id, reporter_id, reason, note, excerpt, created_at)
      VALUES (${roomId}, ${messageId}, ${message.userId}, ${reporterId}, ${reason}, ${note}, ${excerpt}, ${now})
      ON CONFLICT (message_id, reporter_id) DO NOTHING`);
    return { outcome: 'reported' };
  },

  *closeReport({ reportId, actorId, resolution, note, now }) {
    const report = yield* first<{ roomId: number; messageId: number; authorId: number }>(sql`
      SELECT room_id AS "roomId", message_id AS "messageId", author_id AS "authorId"
      FROM reports WHERE id = ${reportId} AND closed_at IS NULL`);
    if (!report || report.authorId === actorId) return { outcome: 'report_not_found' };
    const { roomId, messageId, authorId } = report;
    if (!(yield* mayJudge(actorId, roomId, now))) return { outcome: 'report_not_found' };
    yield* run(sql`
      UPDATE reports SET closed_at = ${now}, closed_by = ${actorId}, resolution = ${resolution}
      WHERE id = ${reportId}`);
    const details = { resolution, ...(note !== '' && { note }) };
    yield* addAudit({ action: 'report_closed', actorId, roomId, messageId, userId: authorId, now, details });
    return { outcome: 'closed' };
  },
};

/** Names and hashes, by which the files can be told after they are gone. */
function filesLines(files: readonly FileRow[]): string {
  return files
    .filter(({ purpose }) => purpose === 'message')
    .map(({ name, sha256 }) => `\n📎 ${name.slice(0, FILE_NAME_KEPT).toWellFormed()} ${sha256 ?? ''}`)
    .join('');
}

interface StoredReport extends Omit<ReportRow, 'room' | 'author' | 'reporter' | 'closedBy'> {
  roomId: number;
  roomName: string;
  roomKind: string;
  authorId: number;
  authorName: string;
  reporterId: number;
  reporterName: string;
  closerId: number | null;
  closerName: string | null;
}

export const moderationReads: AsSteps<Reads> = {
  *reports({ viewerId, roomId, isOpen, limit, beforeId = Number.MAX_SAFE_INTEGER, now }) {
    const isSeen =
      roomId === undefined
        ? mayAdminister(yield* roleOf(viewerId))
        : yield* mayModerate(viewerId, roomId, now);
    if (!isSeen) return undefined;
    const where = roomId === undefined ? sql`true` : sql`report.room_id = ${roomId}`;
    const rows = yield* all<StoredReport>(sql`
      SELECT report.id, report.message_id AS "messageId", report.reason, report.note, report.excerpt,
        report.created_at AS "createdAt", report.closed_at AS "closedAt", report.resolution,
        room.id AS "roomId", room.name AS "roomName", replace(room.kind, 'deleted_', '') AS "roomKind",
        author.id AS "authorId", author.username AS "authorName",
        reporter.id AS "reporterId", reporter.username AS "reporterName",
        closer.id AS "closerId", closer.username AS "closerName"
      FROM reports AS report
        JOIN rooms AS room ON room.id = report.room_id
        JOIN users AS author ON author.id = report.author_id
        JOIN users AS reporter ON reporter.id = report.reporter_id
        LEFT JOIN users AS closer ON closer.id = report.closed_by
      WHERE report.id < ${beforeId} AND ${where} AND report.author_id <> ${viewerId}
        AND ${isOpen ? sql`report.closed_at IS NULL` : sql`report.closed_at IS NOT NULL`}
      ORDER BY report.id DESC LIMIT ${limit}`);
    return rows.map(toReport);
  },

  *restricted({ roomId, viewerId, now }) {
    const standing = yield* findStanding({ roomId, userId: viewerId });
    if (!standing || verdictOn('moderate', standing, now) !== 'allowed') return undefined;
    return yield* all(sql`
      SELECT users.id, users.username,
        CASE WHEN silenced_until > ${now} THEN silenced_until END AS "silencedUntil",
        CASE WHEN banned_until > ${now} THEN banned_until END AS "bannedUntil"
      FROM members JOIN users ON users.id = members.user_id
      WHERE room_id = ${roomId} AND (silenced_until IS NOT NULL OR banned_until IS NOT NULL)
        AND (silenced_until > ${now} OR banned_until > ${now})
      ORDER BY users.id LIMIT 500`);
  },

  *recentTexts({ roomId, userId, since, limit }) {
    const rows = yield* all<{ id: number }>(sql`
      SELECT id FROM messages
      WHERE room_id = ${roomId} AND user_id = ${userId} AND kind = 0 AND created_at >= ${since}
        AND deleted_at IS NULL AND seq > (SELECT seq FROM rooms WHERE id = ${roomId}) - 10000
      ORDER BY id DESC LIMIT ${limit}`);
    return rows.map(({ id }) => id);
  },
};

interface Begun {
  work: RoomWork;
  user: UserRow;
  member: MembershipRow | null;
}

/** The person of a lower role whom the actor may restrict in the room. */
function* begin({
  roomId,
  actorId,
  userId,
  now,
}: Restriction): Steps<Begun | Exclude<RoomChange, { room: unknown }>> {
  const work = yield* beginWork({ roomId, actorId, now });
  if ('outcome' in work) return work;
  const refused = refusal(work, 'moderate');
  if (refused) return refused;
  const user = yield* findKnown(work, userId);
  if (!user) return { outcome: 'user_not_found' };
  const member = yield* findMembership({ roomId, userId });
  const { role } = (yield* first<{ role: 'admin' | 'member' | 'guest' }>(
    sql`SELECT role FROM users WHERE id = ${userId}`,
  )) ?? { role: 'member' };
  const theirs =
    effectiveRole({ role }, roomStateOf(work.room), member && memberStateOf(member, now)) ?? 'member';
  const own = ownRole(work);
  if (own === null || !outranks(own, theirs)) return { outcome: 'not_allowed' };
  return { work, user, member };
}

/** Keeps it at the person's row for the room, which people have who were never in it, too. */
function* restrict(work: RoomWork, userId: number, column: Sql, until: number | null): Steps<void> {
  const userSeq = yield* nextUserSeq(userId);
  const { id: roomId } = work.room;
  yield* run(sql`
    INSERT INTO members (room_id, user_id, joined_at, left_at, ${column}, user_seq)
    VALUES (${roomId}, ${userId}, ${work.now}, ${work.now}, ${until}, ${userSeq})
    ON CONFLICT (user_id, room_id) DO UPDATE SET ${column} = excluded.${column}, user_seq = excluded.user_seq`);
  work.changes.push({ userId, userSeq });
}

function record(
  { roomId, actorId, userId, until, reason, now }: Restriction,
  action: 'muted' | 'unmuted' | 'banned' | 'unbanned',
) {
  const details = { ...(until !== null && { until }), ...(reason !== '' && { reason }) };
  return addAudit({ action, actorId, roomId, userId, now, details });
}

/**
 * Reports of a room are judged by its moderators, and by admins wherever it is: their reporters have handed them over.
 */
function* mayJudge(viewerId: number, roomId: number, now: number): Steps<boolean> {
  return mayAdminister(yield* roleOf(viewerId)) || (yield* mayModerate(viewerId, roomId, now));
}

function* mayModerate(userId: number, roomId: number, now: number): Steps<boolean> {
  const standing = yield* findStanding({ roomId, userId });
  return standing !== undefined && verdictOn('moderate', standing, now) === 'allowed';
}

function toReport(row: StoredReport): ReportRow {
  const {
    roomId,
    roomName,
    roomKind,
    authorId,
    authorName,
    reporterId,
    reporterName,
    closerId,
    closerName,
    ...rest
  } = row;
  return {
    ...rest,
    room: { id: roomId, name: roomName, kind: roomKind },
    author: { id: authorId, username: authorName },
    reporter: { id: reporterId, username: reporterName },
    closedBy: closerId === null ? null : { id: closerId, username: closerName ?? '' },
  };
}
