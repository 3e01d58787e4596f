import type { SharedMigration } from './migration.ts';
import { APPEND_V1 } from './postgres-append.ts';

/**
 * - `invites.by_operator`: its maker is the operator, who has no account and always may. `created_by` names a stand-in.
 * - `users.name_form`, `rooms.name_form`: by which rules the words, the search key and the looks of the name were made;
 *   below `NAME_FORM` (server/data/storage/queries/name-forms.ts) they are made anew at the next start. A row that a
 *   process of an older release makes has 0. A name that it changes keeps the forms of that release.
 * - `disguised`: the name mixes scripts or has symbols for letters. Nobody else gets a name that looks like it.
 * - `append_v1` stores no text of somebody who is suspended or removed.
 */
export const identity: SharedMigration = {
  version: 9,
  runsFrom: 7,
  sqlite: `
    ALTER TABLE invites ADD COLUMN by_operator INTEGER NOT NULL DEFAULT 0;
    UPDATE invites SET by_operator = 1 WHERE room_id IS NULL AND EXISTS (
      SELECT 1 FROM audit_log WHERE action = 'server_invite' AND actor_id IS NULL AND at = invites.created_at);
    ALTER TABLE users ADD COLUMN name_form INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX users_name_form ON users (id) WHERE name_form < 1;
    ALTER TABLE rooms ADD COLUMN name_form INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX rooms_name_form ON rooms (id) WHERE name_form < 1;
    ALTER TABLE user_looks ADD COLUMN disguised INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE room_looks ADD COLUMN disguised INTEGER NOT NULL DEFAULT 0;
  `,
  postgres: `
    ALTER TABLE invites ADD COLUMN by_operator INTEGER NOT NULL DEFAULT 0;
    UPDATE invites SET by_operator = 1 WHERE room_id IS NULL AND EXISTS (
      SELECT 1 FROM audit_log WHERE action = 'server_invite' AND actor_id IS NULL AND at = invites.created_at);
    ALTER TABLE users ADD COLUMN name_form INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX users_name_form ON users (id) WHERE name_form < 1;
    ALTER TABLE rooms ADD COLUMN name_form INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX rooms_name_form ON rooms (id) WHERE name_form < 1;
    ALTER TABLE user_looks ADD COLUMN disguised INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE room_looks ADD COLUMN disguised INTEGER NOT NULL DEFAULT 0;
    ${APPEND_V1.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION')}
  `,
};
