/** Emoji of the server. */
import { mayAddEmoji, mayDeleteEmoji } from '../../../rules/admin-access.ts';
import type { EmojiReads, EmojiRow, EmojiWrites } from '../store.ts';
import { addAudit, roleOf } from './audit.ts';
import { dropPictures, takePicture } from './pictures.ts';
import { type Sql, sql } from './sql.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

export const emojiWrites: AsSteps<EmojiWrites> = {
  *addEmoji({ actorId, name, key, most, now }) {
    if (!mayAddEmoji(yield* roleOf(actorId))) return { outcome: 'not_allowed' };
    if (yield* findEmoji(name)) return { outcome: 'emoji_name_taken' };
    const counted = yield* first<{ count: number }>(sql`SELECT count(*) AS count FROM emoji`);
    if (!counted || counted.count >= most) return { outcome: 'too_many' };
    if (!(yield* takePicture({ key, ownerId: actorId, purpose: 'emoji' }))) return { outcome: 'not_ready' };
    yield* run(sql`
      INSERT INTO emoji (name, file_key, created_by, created_at) VALUES (${name}, ${key}, ${actorId}, ${now})`);
    return { outcome: 'added' };
  },

  *deleteEmoji({ actorId, name, now }) {
    const role = yield* roleOf(actorId);
    const emoji = yield* findEmoji(name);
    const isOwn = emoji?.createdBy === actorId;
    // Everybody may see which there are, so a refusal tells nothing.
    if (!emoji) return { outcome: 'emoji_not_found' };
    if (!mayDeleteEmoji(role, isOwn)) return { outcome: 'not_allowed' };
    yield* run(sql`DELETE FROM emoji WHERE name = ${name}`);
    yield* dropPictures([emoji.key]);
    if (!isOwn)
      yield* addAudit({
        action: 'emoji_deleted',
        actorId,
        userId: emoji.createdBy,
        now,
        details: { emoji: name },
      });
    return { outcome: 'deleted' };
  },
};

export const emojiReads: AsSteps<EmojiReads> = {
  *serverEmoji() {
    return yield* all<EmojiRow>(sql`SELECT ${COLUMNS} FROM emoji ORDER BY name`);
  },

  *emojiStamp() {
    // A new one is later than all others, and without one of them there are fewer.
    const found = yield* first<{ count: number; last: number | null }>(
      sql`SELECT count(*) AS count, max(created_at) AS last FROM emoji`,
    );
    return found && found.last !== null ? `${found.count}-${found.last}` : undefined;
  },
};

const COLUMNS: Sql = sql`name, file_key AS key, created_by AS "createdBy", created_at AS "createdAt"`;

/** Undefined: there is none of this name now. */
export function* findEmoji(name: string): Steps<EmojiRow | undefined> {
  return yield* first<EmojiRow>(sql`SELECT ${COLUMNS} FROM emoji WHERE name = ${name}`);
}
