import type { Migration } from './migration.ts';

/**
 * What the names of users and rooms look like; `migrate` computes it for names from before. Names that share a look
 * already all stay. `users.username_skeleton` is not used any more; a later release drops it.
 */
export const looks: Migration = {
  version: 3,
  sqlite: `
    DROP INDEX users_skeleton;
    CREATE TABLE user_looks (
      look TEXT NOT NULL,
      id INTEGER NOT NULL REFERENCES users (id),
      PRIMARY KEY (look, id)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE room_looks (
      look TEXT NOT NULL,
      id INTEGER NOT NULL REFERENCES rooms (id),
      PRIMARY KEY (look, id)
    ) STRICT, WITHOUT ROWID;
  `,
};
