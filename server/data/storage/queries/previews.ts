/** Previews of links: messages that wait for theirs, what came of it, and what pages have said. */
import { linksOf } from '../../../../protocol/markdown/links.ts';
import { areRemoved } from '../../../rules/link-previews.ts';
import { extraOf } from '../../../rules/message.ts';
import type { KeptLink, PreviewReads, PreviewTask, PreviewWrites } from '../store.ts';
import { addAudit } from './audit.ts';
import { moveCursor } from './consumers.ts';
import { dropLinkPictures, takeLinkPictures } from './link-pictures.ts';
import { findMessage, PLAIN } from './message-rows.ts';
import { beginChange, endChange, storedExtra } from './message-work.ts';
import { findRoom } from './room-rows.ts';
import { list, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

export const previewWrites: AsSteps<PreviewWrites> = {
  *queuePreviews({ name, move, tasks, limits }) {
    if (!(yield* moveCursor(name, move))) return { outcome: 'lost' };
    const queued: PreviewTask[] = [];
    for (const task of tasks) if (yield* addTask(task, limits)) queued.push(task);
    return { outcome: 'queued', tasks: queued };
  },

  *settlePreviews({ roomId, messageId, revision, previews }) {
    const room = yield* findRoom(roomId);
    const message = yield* findMessage({ roomId, messageId });
    const facts = message?.facts ?? PLAIN;
    const isThere = message !== undefined && message.notice === null && facts.deletedAt === null;
    if (isThere && facts.revision !== revision) return { outcome: 'stale' };
    yield* endTask(messageId);
    if (!room || !isThere || areRemoved(extraOf(facts))) return { outcome: 'settled' };
    const shown = yield* takeLinkPictures(message, previews);
    const stored = storedExtra({ ...extraOf(facts), previews: shown.length === 0 ? undefined : shown });
    if (stored === facts.extra) return { outcome: 'settled' };
    const { message: changed } = yield* endChange({ work: { room }, message }, { extra: stored });
    return { outcome: 'settled', message: changed };
  },

  *removePreviews(target) {
    const begun = yield* beginChange(target, ({ userId }) =>
      userId === target.actorId ? 'delete_own_text' : 'delete_text',
    );
    if ('outcome' in begun) return begun;
    const { message, facts, extra } = begun;
    if (facts.deletedAt !== null) return { outcome: 'message_not_found' };
    const count = extra.previews?.length ?? 0;
    const hasNone = count === 0 && linksOf(message.content).length === 0;
    if (areRemoved(extra) || hasNone) return { outcome: 'unchanged', message };
    yield* endTask(message.id);
    yield* dropLinkPictures(message);
    const { roomId, actorId, now } = target;
    if (message.userId !== actorId) {
      const act = { action: 'previews_removed', actorId, roomId, userId: message.userId, now } as const;
      yield* addAudit({ ...act, messageId: message.id });
    }
    return yield* endChange(begun, { extra: storedExtra({ ...extra, previews: [] }) });
  },

  *keepLinks(links) {
    for (const { urlHash, data, fetchedAt } of links)
      yield* run(sql`
        INSERT INTO link_previews (url_hash, data, fetched_at) VALUES (${urlHash}, ${data}, ${fetchedAt})
        ON CONFLICT (url_hash) DO UPDATE SET data = excluded.data, fetched_at = excluded.fetched_at`);
  },
};

export const previewReads: AsSteps<PreviewReads> = {
  *previewTasks({ limit }) {
    return yield* all<PreviewTask>(sql`
      SELECT message_id AS "messageId", room_id AS "roomId", user_id AS "userId" FROM preview_tasks
      ORDER BY message_id LIMIT ${limit}`);
  },

  *keptLinks({ urlHashes, since }) {
    if (urlHashes.length === 0) return [];
    return yield* all<KeptLink>(sql`
      SELECT url_hash AS "urlHash", data, fetched_at AS "fetchedAt" FROM link_previews
      WHERE url_hash IN (${list(urlHashes)}) AND fetched_at >= ${since} ORDER BY url_hash`);
  },
};

/** False: too many wait already. */
function* addTask(
  { messageId, roomId, userId }: PreviewTask,
  { perAuthor, total }: { perAuthor: number; total: number },
): Steps<boolean> {
  const waiting = yield* first<{ all: number; own: number }>(sql`
    SELECT count(*) AS "all", coalesce(sum(CASE WHEN user_id = ${userId} THEN 1 ELSE 0 END), 0) AS own
    FROM preview_tasks WHERE message_id <> ${messageId}`);
  if (!waiting || waiting.all >= total || waiting.own >= perAuthor) return false;
  yield* run(sql`
    INSERT INTO preview_tasks (message_id, room_id, user_id) VALUES (${messageId}, ${roomId}, ${userId})
    ON CONFLICT (message_id) DO NOTHING`);
  return true;
}

function* endTask(messageId: number): Steps<void> {
  yield* run(sql`DELETE FROM preview_tasks WHERE message_id = ${messageId}`);
}
