/** Writing notifications and entries of the inbox, and reading what they depend on. */
import type {
  AudienceRow,
  EagerRow,
  NotificationChange,
  NotificationReads,
  NotificationStep,
  NotificationWrites,
  NotifyRow,
  UserChange,
} from '../store.ts';
import { moveCursor } from './consumers.ts';
import { REMOVED } from './removed-names.ts';
import { list, type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';
import { FOLLOWING, THREAD_MEMBERS } from './thread-members.ts';
import { nextUserSeq } from './user-log.ts';

/** Rows of one command, and people of one read. */
const ROWS_MAX = 200;

type Facts = Omit<AudienceRow, 'member' | 'blocked'> & {
  memberId: number | null;
  leftAt: number | null;
} & Omit<NonNullable<AudienceRow['member']>, 'hasLeft'>;

const NOTIFY_COLUMNS = sql`user_id AS "userId", message_id AS "messageId", room_id AS "roomId", reason, decision, detail,
  created_at AS "createdAt", due_at AS "dueAt"`;

export const notificationWrites: AsSteps<NotificationWrites> = {
  *notify(step) {
    const { name, roomId, from, to } = step;
    if (!(yield* moveCursor(name, { roomId, from, to: to ?? from }))) return { outcome: 'lost' };
    const changes: NotificationChange[] = [];
    const isThere = yield* findThere([...step.inbox, ...step.threads, ...step.notices]);
    for (const entry of byUser(step.inbox).filter(isThere)) yield* putEntry(step, entry, changes);
    for (const thread of byUser(step.threads).filter(isThere)) yield* putThread(roomId, thread, changes);
    const fresh: { userId: number; messageId: number }[] = [];
    for (const { userId, messageId, reason, decision, detail, dueAt } of byUser(step.notices).filter(
      isThere,
    )) {
      const put = yield* first(sql`
        INSERT INTO notify_log (user_id, message_id, room_id, reason, decision, detail, created_at, due_at)
        VALUES (${userId}, ${messageId}, ${roomId}, ${reason}, ${decision}, ${detail}, ${step.now}, ${dueAt})
        ON CONFLICT (user_id, message_id) DO NOTHING RETURNING user_id`);
      if (put) fresh.push({ userId, messageId });
    }
    let hasMore = false;
    for (const withdrawn of step.withdrawn) hasMore = (yield* withdraw(step, withdrawn, changes)) || hasMore;
    return { outcome: 'written', changes, fresh, hasMore };
  },

  *settleNotices(settled) {
    for (const { userId, messageId, decision, detail, dueAt } of byUser(settled.slice(0, ROWS_MAX)))
      yield* run(sql`
        UPDATE notify_log SET decision = ${decision}, detail = ${detail}, due_at = ${dueAt}
        WHERE user_id = ${userId} AND message_id = ${messageId} AND due_at IS NOT NULL`);
  },
};

export const notificationReads: AsSteps<Omit<NotificationReads, 'inbox'>> = {
  *eagerMembers({ roomId }) {
    const room = yield* first<Pick<EagerRow, 'kind' | 'name'>>(
      sql`SELECT kind, name FROM rooms WHERE id = ${roomId}`,
    );
    if (!room) return undefined;
    const isDm = room.kind === 'dm';
    const rows = yield* all<{
      userId: number;
      notify: string | null;
      threads: string | null;
      settings: string;
    }>(sql`
      SELECT member.user_id AS "userId", member.notify, member.threads, person.settings
      FROM members AS member JOIN users AS person ON person.id = member.user_id
      WHERE member.room_id = ${roomId} AND member.left_at IS NULL
        AND ${isDm ? sql`true` : sql`(member.notify = 'all' OR member.threads = 'all' OR person.settings <> '{}')`}`);
    const wantsAll = (row: (typeof rows)[number]) =>
      isDm || row.notify === 'all' || (row.notify === null && wantsAllByDefault(row.settings));
    return {
      ...room,
      userIds: rows.filter(wantsAll).map(({ userId }) => userId),
      threadIds: rows.filter(({ threads }) => threads === 'all').map(({ userId }) => userId),
    };
  },

  *audience({ roomId, authorIds, userIds, afterUserId = 0 }) {
    if (userIds?.length === 0) return [];
    const which = userIds
      ? sql`person.id IN (${list(userIds.slice(0, ROWS_MAX))})`
      : sql`person.id IN (
          SELECT user_id FROM members WHERE room_id = ${roomId} AND left_at IS NULL AND user_id > ${afterUserId}
          ORDER BY user_id LIMIT ${ROWS_MAX})`;
    const rows = yield* all<Facts>(sql`
      SELECT person.id AS "userId", person.role AS "userRole", person.username, person.display_name AS "displayName",
        person.settings, person.time_zone AS "timeZone",
        member.user_id AS "memberId", member.left_at AS "leftAt", member.banned_until AS "bannedUntil", member.notify,
        member.notify_muted_until AS "mutedUntil", member.threads, member.read_seq AS "readSeq"
      FROM users AS person LEFT JOIN members AS member ON member.user_id = person.id AND member.room_id = ${roomId}
      WHERE ${which} ORDER BY person.id`);
    const blocks = yield* blocksAmong(rows, authorIds);
    return rows.map(
      ({ userId, userRole, username, displayName, settings, timeZone, memberId, leftAt, ...member }) => ({
        userId,
        userRole,
        username,
        displayName,
        settings,
        timeZone,
        member:
          memberId === null
            ? null
            : {
                hasLeft: leftAt !== null,
                bannedUntil: member.bannedUntil,
                notify: member.notify,
                mutedUntil: member.mutedUntil,
                threads: member.threads,
                readSeq: member.readSeq,
              },
        blocked: blocks.filter((block) => block.userId === userId).map(({ blockedId }) => blockedId),
      }),
    );
  },

  *threadPeople({ roomId, threadId, userIds, withFollowers }) {
    if (userIds.length === 0 && !withFollowers) return [];
    const followers = withFollowers ? sql`own.following > 0` : sql`false`;
    const named = userIds.length === 0 ? sql`` : sql`OR own.user_id IN (${list(userIds.slice(0, ROWS_MAX))})`;
    const rows = yield* all<{ userId: number; following: number | null; readSeq: number }>(sql`
      SELECT own.user_id AS "userId", ${FOLLOWING} AS following, own.read_seq AS "readSeq" FROM ${THREAD_MEMBERS}
      WHERE own.room_id = ${roomId} AND own.thread_id = ${threadId} AND (${followers} ${named})
      ORDER BY own.user_id`);
    return rows.map(({ following, ...row }) => ({
      ...row,
      isFollowing: following === null ? null : following === 1,
    }));
  },

  *waitingNotices({ limit, exceptUserIds = [] }) {
    const which = exceptUserIds.length === 0 ? sql`` : sql`AND user_id NOT IN (${list(exceptUserIds)})`;
    return yield* all<NotifyRow>(sql`
      SELECT ${NOTIFY_COLUMNS} FROM notify_log WHERE due_at IS NOT NULL ${which} ORDER BY due_at LIMIT ${limit}`);
  },

  *notice({ userId, messageId }) {
    return yield* first<NotifyRow>(sql`
      SELECT ${NOTIFY_COLUMNS} FROM notify_log WHERE user_id = ${userId} AND message_id = ${messageId}`);
  },
};

/** Accepts rows about people whose accounts were not removed meanwhile. */
function* findThere(rows: readonly { userId: number }[]): Steps<(row: { userId: number }) => boolean> {
  if (rows.length === 0) return () => false;
  const ids = list([...new Set(rows.map(({ userId }) => userId))]);
  const removed = yield* all<{ id: number }>(
    sql`SELECT id FROM users WHERE id IN (${ids}) AND kind = ${REMOVED}`,
  );
  const gone = new Set(removed.map(({ id }) => id));
  return ({ userId }) => !gone.has(userId);
}

/** In the order in which the logs of users are locked. */
function byUser<Row extends { userId: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => one.userId - other.userId);
}

/**
 * An entry that is there stays as it is; one that was withdrawn comes back. A removal that was committed first leaves
 * no entry: it has a number in the same log, which is locked.
 */
function* putEntry(
  { roomId, now }: NotificationStep,
  { userId, messageId, threadId, seq, reason }: NotificationStep['inbox'][number],
  changes: NotificationChange[],
): Steps<void> {
  const before = yield* first<{ removedAt: number | null }>(
    sql`SELECT removed_at AS "removedAt" FROM inbox WHERE user_id = ${userId} AND message_id = ${messageId}`,
  );
  if (before?.removedAt === null) return;
  const left = yield* first(sql`
    SELECT 1 FROM members WHERE user_id = ${userId} AND room_id = ${roomId} AND left_at IS NOT NULL`);
  if (left) return;
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    INSERT INTO inbox (user_id, room_id, message_id, thread_id, seq, reason, created_at, user_seq)
    VALUES (${userId}, ${roomId}, ${messageId}, ${threadId}, ${seq}, ${reason}, ${now}, ${userSeq})
    ON CONFLICT (user_id, message_id) DO UPDATE SET removed_at = NULL, reason = excluded.reason,
      user_seq = excluded.user_seq`);
  const entry = { roomId, messageId, threadId, seq, reason, createdAt: now, removed: false, userSeq };
  // Whether a reply is read depends on its thread, and one that comes back is as old as it was.
  const isKnown = threadId === null && !before;
  changes.push({ userId, userSeq, ...(isKnown && { inbox: { ...entry, isRead: false } }) });
}

/** A thread that the user follows already, or has left, stays as it is. */
function* putThread(
  roomId: number,
  { userId, threadId, readSeq }: NotificationStep['threads'][number],
  changes: UserChange[],
): Steps<void> {
  const before = yield* first(sql`
    SELECT 1 FROM thread_members
    WHERE user_id = ${userId} AND room_id = ${roomId} AND thread_id = ${threadId} AND following IS NOT NULL`);
  if (before) return;
  const userSeq = yield* nextUserSeq(userId);
  yield* run(sql`
    INSERT INTO thread_members (user_id, room_id, thread_id, following, read_seq, user_seq)
    VALUES (${userId}, ${roomId}, ${threadId}, 1, ${readSeq}, ${userSeq})
    ON CONFLICT (user_id, room_id, thread_id) DO UPDATE SET following = 1, user_seq = excluded.user_seq,
      read_seq = CASE WHEN excluded.read_seq > thread_members.read_seq THEN excluded.read_seq
        ELSE thread_members.read_seq END`);
  changes.push({ userId, userSeq });
}

/** True when there is more to withdraw than one command may. */
function* withdraw(
  { roomId, now }: NotificationStep,
  { messageId, reasons = [], except = [] }: NotificationStep['withdrawn'][number],
  changes: UserChange[],
): Steps<boolean> {
  const kept: Sql = except.length === 0 ? sql`` : sql`AND user_id NOT IN (${list(except)})`;
  const which: Sql = reasons.length === 0 ? sql`` : sql`AND reason IN (${list(reasons)})`;
  const entries = yield* all<{ userId: number }>(sql`
    SELECT user_id AS "userId" FROM inbox
    WHERE room_id = ${roomId} AND message_id = ${messageId} AND removed_at IS NULL ${kept} ${which}
    ORDER BY user_id LIMIT ${ROWS_MAX}`);
  for (const { userId } of entries) {
    const userSeq = yield* nextUserSeq(userId);
    yield* run(sql`
      UPDATE inbox SET removed_at = ${now}, user_seq = ${userSeq}
      WHERE user_id = ${userId} AND message_id = ${messageId}`);
    changes.push({ userId, userSeq });
  }
  return entries.length === ROWS_MAX;
}

function* blocksAmong(
  rows: readonly Facts[],
  authorIds: readonly number[],
): Steps<{ userId: number; blockedId: number }[]> {
  if (rows.length === 0 || authorIds.length === 0) return [];
  return yield* all(sql`
    SELECT user_id AS "userId", blocked_id AS "blockedId" FROM blocks
    WHERE user_id IN (${list(rows.map(({ userId }) => userId))}) AND blocked_id IN (${list(authorIds)})
      AND removed = 0`);
}

/** They were validated when they were stored: the threads of the database, which need them, load no schemas. */
function wantsAllByDefault(settings: string): boolean {
  const parsed = JSON.parse(settings) as { notifications?: { default?: string } };
  return parsed.notifications?.default === 'all';
}
