/** Deleting what is older than the operator wants to keep. */
import type { RetentionReads, RetentionWrites } from '../store.ts';
import { addAudit } from './audit.ts';
import { eraseText } from './message-changes.ts';
import { findMessages, TEXT } from './message-rows.ts';
import { findRoom } from './room-rows.ts';
import { sql } from './sql.ts';
import { type AsSteps, all } from './steps.ts';

export const retentionWrites: AsSteps<RetentionWrites> = {
  *pruneTexts({ roomId, messageIds, before, isFirst, now }) {
    const room = yield* findRoom(roomId);
    if (!room) return [];
    const found = yield* findMessages(messageIds.map((messageId) => ({ roomId, messageId })));
    const work = { room, now };
    const changed = [];
    for (const message of [...found.values()].toSorted((one, other) => one.seq - other.seq)) {
      if (message.notice !== null || (message.facts?.deletedAt ?? null) !== null) continue;
      changed.push(...(yield* eraseText(work, message, null)));
    }
    if (isFirst && changed.length > 0)
      yield* addAudit({
        action: 'messages_pruned',
        actorId: null,
        roomId,
        now,
        details: { before: new Date(before).toISOString() },
      });
    return changed;
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

interface OldRow {
  id: number;
  seq: number;
  kind: number;
  userId: number;
  createdAt: number;
  deletedAt: number | null;
}

export const retentionReads: AsSteps<RetentionReads> = {
  *oldTexts({ roomId, afterSeq, before, userId, limit }) {
    const rows = yield* all<OldRow>(sql`
      SELECT id, seq, kind, user_id AS "userId", created_at AS "createdAt", deleted_at AS "deletedAt" FROM messages
      WHERE room_id = ${roomId} AND seq > ${afterSeq} ORDER BY seq LIMIT ${limit}`);
    // Times ascend with the numbers of a room.
    const old = rows.filter(({ createdAt }) => createdAt < before);
    const texts = old.filter(
      (row) => row.kind === TEXT && row.deletedAt === null && (userId === undefined || row.userId === userId),
    );
    const messageIds = texts.map(({ id }) => id);
    return { messageIds, reached: old.length === limit ? old.at(-1)?.seq : undefined };
  },
};
