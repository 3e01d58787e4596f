/** Files: uploads, what becomes of them, and what they count. */
import { withFound } from '../../../rules/attached-files.ts';
import { verdictOn } from '../../../rules/standing.ts';
import type { FilePersonRow, FileReads, FileRow, FileWrites, NewFile } from '../store.ts';
import { showInMessage } from './attach.ts';
import { FILE_COLUMNS } from './file-rows.ts';
import { list, type Sql, sql } from './sql.ts';
import { findLive, findStanding } from './standing.ts';
import { type AsSteps, all, first, run, type Steps } from './steps.ts';

/** The row of `file_usage` that has the total. */
const TOTAL = 0;

/** SQLite uses the index of these rows where a statement says the same. */
const UNSETTLED = sql`state <> 'ready'`;

/** Files that one read of a room's list looks at. */
const LOOKED_AT = 1000;

type CreateOutcome = ReturnType<FileWrites['createFile']>['outcome'];

export const fileWrites: AsSteps<FileWrites> = {
  *createFile(file) {
    const refused = yield* refusalOf(file);
    if (refused) return { outcome: refused };
    const { key, purpose, ownerId, roomId, ofKey, name, type, size, info, place, expiresAt, now } = file;
    yield* run(sql`
      INSERT INTO files (key, purpose, owner_id, room_id, of_key, name, type, size, info, state, place, created_at,
        expires_at)
      VALUES (${key}, ${purpose}, ${ownerId}, ${roomId}, ${ofKey}, ${name}, ${type}, ${size}, ${info}, 'uploading',
        ${place}, ${now}, ${expiresAt})`);
    yield* countFiles(ownerId, { files: 1, bytes: size });
    return { outcome: 'created' };
  },

  *advanceFile({ key, from, to, expiresAt }) {
    return yield* first<FileRow>(sql`
      UPDATE files SET received = ${to}, expires_at = ${expiresAt},
        state = CASE WHEN size = ${to} THEN 'checking' ELSE 'uploading' END
      WHERE key = ${key} AND received = ${from} AND state = 'uploading' AND size >= ${to}
      RETURNING ${FILE_COLUMNS}`);
  },

  *settleFile({ key, result }) {
    const before = yield* first<{ ownerId: number; size: number; info: string }>(
      sql`SELECT owner_id AS "ownerId", size, info FROM files WHERE key = ${key} AND state = 'checking'`,
    );
    if (!before) return { isSettled: false };
    const size = result.state === 'ready' ? result.size : 0;
    const { type, sha256 } = result.state === 'ready' ? result : { type: null, sha256: null };
    const settled = yield* first<FileRow>(sql`
      UPDATE files SET state = ${result.state}, info = ${withFound(before.info, result.info)}, size = ${size},
        received = ${size}, type = coalesce(${type}, type), sha256 = ${sha256}
      WHERE key = ${key} AND state = 'checking' RETURNING ${FILE_COLUMNS}`);
    if (!settled) return { isSettled: false };
    if (size !== before.size) yield* countFiles(before.ownerId, { files: 0, bytes: size - before.size });
    const message = yield* showInMessage(settled);
    return { isSettled: true, ...(message && { message }) };
  },

  *moveFile({ key, from, to }) {
    const moved = yield* first(
      sql`UPDATE files SET place = ${to} WHERE key = ${key} AND place = ${from} AND state = 'ready' RETURNING id`,
    );
    return moved !== undefined;
  },

  *deleteUpload({ key, ownerId }) {
    const deleted = yield* all<{ key: string }>(sql`
      UPDATE files SET state = 'deleted'
      WHERE (key = ${key} OR of_key = ${key}) AND owner_id = ${ownerId} AND expires_at IS NOT NULL
        AND state <> 'deleted' RETURNING key`);
    return deleted.some((file) => file.key === key);
  },

  *expireFiles({ now, limit }) {
    const expired = yield* all(sql`
      UPDATE files SET state = 'deleted'
      WHERE id IN (SELECT id FROM files WHERE ${expiredBy(now)} ORDER BY expires_at LIMIT ${limit}) RETURNING id`);
    return expired.length;
  },

  *forgetFiles({ keys }) {
    if (keys.length === 0) return;
    const gone = yield* all<{ ownerId: number; size: number }>(sql`
      DELETE FROM files WHERE key IN (${list(keys)}) AND state = 'deleted' RETURNING owner_id AS "ownerId", size`);
    for (const { ownerId, size } of gone) yield* countFiles(ownerId, { files: -1, bytes: -size });
  },
};

export const fileReads: AsSteps<FileReads> = {
  *ownFile({ key, ownerId }) {
    return yield* first<FileRow>(
      sql`SELECT ${FILE_COLUMNS} FROM files WHERE key = ${key} AND owner_id = ${ownerId} AND state <> 'deleted'`,
    );
  },

  *servedFile({ key, userId, now }) {
    const file = yield* first<FileRow>(sql`
      SELECT ${FILE_COLUMNS} FROM files WHERE key = ${key} AND state = 'ready' AND expires_at IS NULL`);
    if (userId === null) return file?.purpose === 'icon' ? file : undefined;
    if (!file || file.roomId === null) return file;
    if (file.messageId === null) return undefined;
    const standing = yield* findStanding({ roomId: file.roomId, userId });
    return standing && verdictOn('read', standing, now) === 'allowed' ? file : undefined;
  },

  *roomFiles({ roomId, userId, types, beforeId = Number.MAX_SAFE_INTEGER, limit, now }) {
    const standing = yield* findStanding({ roomId, userId });
    if (!standing || verdictOn('read', standing, now) !== 'allowed') return undefined;
    const looked = yield* all<FileRow>(sql`
      SELECT ${FILE_COLUMNS} FROM files
      WHERE room_id = ${roomId} AND message_id IS NOT NULL AND id < ${beforeId} ORDER BY id DESC LIMIT ${LOOKED_AT}`);
    const fitting = looked.filter(({ purpose, state, type }) => {
      const isShown = purpose === 'message' && (state === 'ready' || state === 'checking');
      return (
        isShown &&
        (types === undefined || ('are' in types ? types.are.includes(type) : !types.areNot.includes(type)))
      );
    });
    const files = fitting.slice(0, limit);
    const isCut = fitting.length > limit;
    const lastId = isCut ? files.at(-1)?.id : looked.length === LOOKED_AT ? looked.at(-1)?.id : undefined;
    return { files, previews: yield* previewsOf(roomId, files), lastId };
  },

  *filesDue({ now, limit }) {
    const any = yield* first(sql`SELECT 1 FROM files LIMIT 1`);
    if (!any) return { hasFiles: false, deleted: [], checking: [], expiredAt: null };
    const deleted = yield* all<{ key: string }>(
      sql`SELECT key FROM files WHERE state = 'deleted' AND ${UNSETTLED} ORDER BY id LIMIT ${limit}`,
    );
    const checking = yield* all<FileRow>(
      sql`SELECT ${FILE_COLUMNS} FROM files WHERE state = 'checking' AND ${UNSETTLED} ORDER BY id LIMIT ${limit}`,
    );
    const expired = yield* first<{ at: number }>(
      sql`SELECT expires_at AS at FROM files WHERE ${expiredBy(now)} ORDER BY expires_at LIMIT 1`,
    );
    return {
      hasFiles: true,
      deleted: deleted.map(({ key }) => key),
      checking,
      expiredAt: expired?.at ?? null,
    };
  },

  *filesByKey({ after, limit }) {
    return yield* all(
      sql`SELECT key, state, received, size, sha256, place FROM files WHERE key > ${after} ORDER BY key LIMIT ${limit}`,
    );
  },

  *knownFiles({ keys }) {
    if (keys.length === 0) return [];
    const known = yield* all<{ key: string }>(sql`SELECT key FROM files WHERE key IN (${list(keys)})`);
    return known.map(({ key }) => key);
  },

  *fileCounts() {
    const counts = { uploading: 0, checking: 0, refused: 0, deleted: 0 };
    const states = yield* all<{ state: keyof typeof counts; count: number }>(
      sql`SELECT state, count(*) AS count FROM files WHERE ${UNSETTLED} GROUP BY state`,
    );
    for (const { state, count } of states) counts[state] = count;
    return { ...counts, ...(yield* usageOf(TOTAL)) };
  },
};

function* previewsOf(roomId: number, files: readonly FileRow[]): Steps<FileRow[]> {
  if (files.length === 0) return [];
  return yield* all(sql`
    SELECT ${FILE_COLUMNS} FROM files
    WHERE room_id = ${roomId} AND message_id IN (${list(files.map(({ messageId }) => messageId))})
      AND of_key IN (${list(files.map(({ key }) => key))}) AND state = 'ready' ORDER BY id`);
}

/** What a person has uploaded and not attached is deleted, and so is the picture: for the removal of an account. */
export function* deleteUploadsOf(ownerId: number): Steps<void> {
  yield* run(sql`UPDATE files SET state = 'deleted'
    WHERE owner_id = ${ownerId} AND (expires_at IS NOT NULL OR purpose = 'avatar')`);
}

/** Every file of the server, and the sum of their sizes. */
export const TOTAL_USAGE: Sql = sql`
  coalesce((SELECT files FROM file_usage WHERE user_id = ${TOTAL}), 0) AS files,
  coalesce((SELECT bytes FROM file_usage WHERE user_id = ${TOTAL}), 0) AS "fileBytes"`;

/** The people whose files take the most bytes, in that order. */
export function* peopleWithFiles(limit: number): Steps<FilePersonRow[]> {
  return yield* all(sql`
    SELECT users.id, username, used.files, used.bytes FROM file_usage AS used JOIN users ON users.id = used.user_id
    WHERE used.user_id <> ${TOTAL} AND used.files > 0 ORDER BY used.bytes DESC, users.id LIMIT ${limit}`);
}

function* refusalOf(file: NewFile): Steps<CreateOutcome | undefined> {
  const { ownerId, size, now, limits } = file;
  const refused = yield* refusalOfOwner(file);
  if (refused) return refused;
  if (file.ofKey !== null && !(yield* mayPreview(file, file.ofKey))) return 'file_not_found';
  const own = yield* first<{ open: number; unattached: number }>(sql`
    SELECT coalesce(sum(CASE WHEN state = 'uploading' THEN 1 ELSE 0 END), 0) AS open, count(*) AS unattached
    FROM files WHERE owner_id = ${ownerId} AND expires_at IS NOT NULL AND expires_at > ${now} AND state <> 'deleted'
      AND purpose <> 'link'`);
  const hasTooMany = !own || own.open >= limits.open || own.unattached >= limits.unattached;
  // The server fetches the pictures of links, one after the other.
  if (hasTooMany && file.purpose !== 'link') return 'too_many';
  if ((yield* usageOf(ownerId)).bytes + size > limits.userBytes) return 'too_many';
  return (yield* usageOf(TOTAL)).bytes + size > limits.totalBytes ? 'no_space' : undefined;
}

function* refusalOfOwner({ ownerId, roomId, now }: NewFile): Steps<CreateOutcome | undefined> {
  if (roomId === null) return (yield* findLive([ownerId])).has(ownerId) ? undefined : 'user_not_found';
  const standing = yield* findStanding({ roomId, userId: ownerId });
  if (!standing) return 'user_not_found';
  const verdict = verdictOn('post', standing, now);
  if (verdict === 'allowed') return undefined;
  return verdict === 'hidden' ? 'room_not_found' : 'not_allowed';
}

function* mayPreview({ ownerId, roomId }: NewFile, ofKey: string): Steps<boolean> {
  const found = yield* first(sql`
    SELECT 1 FROM files WHERE key = ${ofKey} AND owner_id = ${ownerId} AND room_id = ${roomId} AND purpose = 'message'
      AND expires_at IS NOT NULL AND state IN ('uploading', 'checking', 'ready')`);
  return found !== undefined;
}

function expiredBy(now: number): Sql {
  return sql`expires_at IS NOT NULL AND expires_at <= ${now} AND state <> 'deleted'`;
}

function* usageOf(userId: number): Steps<{ files: number; bytes: number }> {
  const usage = yield* first<{ files: number; bytes: number }>(
    sql`SELECT files, bytes FROM file_usage WHERE user_id = ${userId}`,
  );
  return usage ?? { files: 0, bytes: 0 };
}

/** Of the person and of all. The lock of the command keeps others out (traits.ts). */
export function* countFiles(
  ownerId: number,
  { files, bytes }: { files: number; bytes: number },
): Steps<void> {
  for (const userId of [TOTAL, ownerId])
    yield* run(sql`
      INSERT INTO file_usage (user_id, files, bytes) VALUES (${userId}, ${files}, ${bytes})
      ON CONFLICT (user_id) DO UPDATE SET files = file_usage.files + excluded.files,
        bytes = file_usage.bytes + excluded.bytes`);
}
