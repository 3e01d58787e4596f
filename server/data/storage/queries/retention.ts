/** Deleting what is older than the operator wants to keep. */
import type { MessageRow, PruneRun, RetentionReads, RetentionWrites } from '../store.ts';
import { addAudit } from './audit.ts';
import { eraseText } from './message-changes.ts';
import { findMessages, TEXT } from './message-rows.ts';
import { findRoom } from './room-rows.ts';
import { sql } from './sql.ts';
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
    return { changed, auditId: yield* noteRun({ ...pruneRun, messages: pruneRun.messages + count }, now) };
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

function* noteRun({ auditId, before, messages, rooms }: PruneRun, now: number): Steps<number> {
  const details = JSON.stringify({ before: new Date(before).toISOString(), messages, rooms });
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
