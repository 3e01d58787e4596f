/** Deleting what is older than the operator wants to keep. */
import { extraOf } from '../../../rules/message.ts';
import { settingsOf } from '../../../rules/standing.ts';
import type { MessageRow, RetentionReads, RetentionWrites, RoomRow } from '../store.ts';
import { addAudit } from './audit.ts';
import { eraseText } from './message-changes.ts';
import { findMessages, TEXT } from './message-rows.ts';
import { endChange, storedExtra } from './message-work.ts';
import { findRoom, selectRooms } from './room-rows.ts';
import { list, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/**
 * A text that is sent again within this time is known by its cid, and stored once. The cid is the larger part of the
 * row of a deleted text, and of an index.
 */
const KEEP_CIDS_MS = 90 * 86_400_000;

export const retentionWrites: AsSteps<RetentionWrites> = {
  *pruneTexts({ roomId, messageIds, run: pruneRun, now }) {
    const auditId = pruneRun?.auditId ?? null;
    const room = yield* findRoom(roomId);
    if (!room) return { changed: [], auditId };
    const found = yield* findMessages(messageIds.map((messageId) => ({ roomId, messageId })));
    const work = { room, now };
    const changed: MessageRow[] = [];
    let count = 0;
    for (const message of [...found.values()].toSorted((one, other) => one.seq - other.seq)) {
      if (message.notice !== null) continue;
      if ((message.facts?.deletedAt ?? null) === null) {
        changed.push(...(yield* eraseText(work, message, null)));
        count++;
      }
      if (message.cid !== null && message.createdAt < now - KEEP_CIDS_MS)
        yield* run(sql`UPDATE messages SET cid = NULL WHERE room_id = ${roomId} AND id = ${message.id}`);
    }
    if (!pruneRun || count === 0) return { changed, auditId };
    const { before, messages, rooms } = pruneRun;
    const details = { before: new Date(before).toISOString(), messages: messages + count, rooms };
    return { changed, auditId: yield* noteRun(auditId, details, now) };
  },

  *pruneFiles({ roomId, before, limit, run: pruneRun, now }) {
    const { auditId } = pruneRun;
    const room = yield* findRoom(roomId);
    if (!room) return { files: 0, changed: [], auditId };
    const old = yield* all<{ key: string; messageId: number }>(sql`
      SELECT key, message_id AS "messageId" FROM files
      WHERE room_id = ${roomId} AND message_id IS NOT NULL AND purpose = 'message' AND state <> 'deleted'
        AND created_at < ${before}
      ORDER BY id LIMIT ${limit}`);
    if (old.length === 0) return { files: 0, changed: [], auditId };
    const keys = new Set(old.map(({ key }) => key));
    const found = yield* findMessages(old.map(({ messageId }) => ({ roomId, messageId })));
    const changed: MessageRow[] = [];
    for (const message of [...found.values()].toSorted((one, other) => one.seq - other.seq))
      changed.push(...(yield* dropFiles({ room, now }, message, keys)));
    const details = { before: new Date(before).toISOString(), files: pruneRun.files + old.length };
    return { files: old.length, changed, auditId: yield* noteRun(auditId, details, now) };
  },

  *pruneAudit({ before, limit, isFirst, now }) {
    const gone = yield* all(sql`
      DELETE FROM audit_log
      WHERE id IN (SELECT id FROM audit_log WHERE at < ${before} ORDER BY id LIMIT ${limit}) RETURNING id`);
    if (isFirst && gone.length > 0)
      yield* addAudit({
        action: 'audit_pruned',
        actorId: null,
        now,
        details: { before: new Date(before).toISOString() },
      });
    return gone.length;
  },
};

/** A message loses these of its files. */
function* dropFiles(
  work: { room: RoomRow; now: number },
  message: MessageRow,
  keys: ReadonlySet<string>,
): Steps<MessageRow[]> {
  const { facts, content } = message;
  const extra = facts ? extraOf(facts) : {};
  const left = extra.files?.filter(({ key }) => !keys.has(key)) ?? [];
  if (left.length === 0 && content === '') return yield* eraseText(work, message, null);
  const gone = list([...keys]);
  yield* run(sql`
    UPDATE files SET state = 'deleted'
    WHERE room_id = ${message.roomId} AND message_id = ${message.id} AND (key IN (${gone}) OR of_key IN (${gone}))`);
  const stored = storedExtra({ ...extra, files: left.length === 0 ? undefined : left });
  return [(yield* endChange({ work, message }, { extra: stored })).message];
}

function* noteRun(auditId: number | null, about: object, now: number): Steps<number> {
  const details = JSON.stringify(about);
  if (auditId !== null) {
    yield* run(sql`UPDATE audit_log SET details = ${details} WHERE id = ${auditId}`);
    return auditId;
  }
  const row = yield* first<{ id: number }>(sql`
    INSERT INTO audit_log (at, actor_id, action, details) VALUES (${now}, NULL, 'messages_pruned', ${details})
    RETURNING id`);
  if (!row) throw new Error('a row of the audit log was inserted and returned no id');
  return row.id;
}

interface OldRow {
  id: number;
  seq: number;
  kind: number;
  userId: number;
  createdAt: number;
  deletedAt: number | null;
  hasCid: number;
}

export const retentionReads: AsSteps<RetentionReads> = {
  *roomIds({ after, limit }) {
    const rows = yield* all<{ id: number }>(
      sql`SELECT id FROM rooms WHERE id > ${after} ORDER BY id LIMIT ${limit}`,
    );
    return rows.map(({ id }) => id);
  },

  *roomsLosingFiles() {
    const rooms = yield* selectRooms(sql`WHERE settings LIKE ${'%"files_keep_days":%'} ORDER BY id`);
    return rooms.flatMap((room) => {
      const days = settingsOf(room).files_keep_days;
      return days === undefined ? [] : [{ roomId: room.id, days }];
    });
  },

  *oldTexts({ roomId, afterSeq, before, userId, limit, now }) {
    const rows = yield* all<OldRow>(sql`
      SELECT id, seq, kind, user_id AS "userId", created_at AS "createdAt", deleted_at AS "deletedAt",
        CASE WHEN cid IS NULL THEN 0 ELSE 1 END AS "hasCid"
      FROM messages WHERE room_id = ${roomId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`);
    // Times ascend with the numbers of a room.
    const old = rows.filter(({ createdAt }) => createdAt < before);
    const texts = old.filter((row) => row.kind === TEXT && (userId === undefined || row.userId === userId));
    const forgetBefore = now - KEEP_CIDS_MS;
    const mayForget = texts.filter(({ createdAt }) => createdAt < forgetBefore);
    return {
      messageIds: texts.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id),
      cidIds: mayForget
        .filter(({ deletedAt, hasCid }) => deletedAt !== null && hasCid === 1)
        .map(({ id }) => id),
      reached: old.length === limit ? old.at(-1)?.seq : undefined,
      settled: old.findLast(({ createdAt }) => createdAt < forgetBefore)?.seq ?? afterSeq,
    };
  },
};
