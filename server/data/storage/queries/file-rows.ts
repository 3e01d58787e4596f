/** Files as rows. */
import { sql } from './sql.ts';

export const FILE_COLUMNS = sql`
  id, key, purpose, owner_id AS "ownerId", room_id AS "roomId", message_id AS "messageId", of_key AS "ofKey", name, type,
  size, received, sha256, info, state, place, created_at AS "createdAt", expires_at AS "expiresAt"`;

/** Counts again what the files of each person take, where nothing is counted yet. Row 0 has the total. */
export const FILL_FILE_USAGE = `
  INSERT INTO file_usage (user_id, files, bytes)
  SELECT owner_id, count(*), sum(size) FROM files GROUP BY owner_id
  UNION ALL SELECT 0, count(*), sum(size) FROM files HAVING count(*) > 0`;
