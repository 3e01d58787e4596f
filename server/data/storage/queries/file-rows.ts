/** Files as rows. */
import { sql } from './sql.ts';

export const FILE_COLUMNS = sql`
  id, key, purpose, owner_id AS "ownerId", room_id AS "roomId", message_id AS "messageId", of_key AS "ofKey", name, type,
  size, received, sha256, info, state, place, created_at AS "createdAt", expires_at AS "expiresAt"`;
