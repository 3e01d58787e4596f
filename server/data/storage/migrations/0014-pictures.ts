import type { SharedMigration } from './migration.ts';

/**
 * - `users.avatar_key`: the file that is the picture of the person. NULL: there is none, and initials are shown.
 * - `emoji`: the emoji of this server, by the name that is written between colons; each is a file.
 */
export const pictures: SharedMigration = {
  version: 14,
  runsFrom: 7,
  sqlite: `
    ALTER TABLE users ADD COLUMN avatar_key TEXT;
    CREATE TABLE emoji (
      name TEXT PRIMARY KEY,
      file_key TEXT NOT NULL,
      created_by INTEGER NOT NULL,
      created_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
  `,
  postgres: `
    ALTER TABLE users ADD COLUMN avatar_key TEXT COLLATE "C";
    CREATE TABLE emoji (
      name TEXT COLLATE "C" PRIMARY KEY,
      file_key TEXT COLLATE "C" NOT NULL,
      created_by BIGINT NOT NULL,
      created_at BIGINT NOT NULL
    );
  `,
};
