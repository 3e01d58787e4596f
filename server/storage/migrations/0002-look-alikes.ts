import type { Migration } from './migrations.ts';

/** What a name looks like; null until it has been worked out, which `migrate` does for names from before. */
export const lookAlikes: Migration = {
  version: 2,
  sqlite: `
    ALTER TABLE users ADD COLUMN username_skeleton TEXT;
    CREATE INDEX users_skeleton ON users (username_skeleton);
  `,
};
