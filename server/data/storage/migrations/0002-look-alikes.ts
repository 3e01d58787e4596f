import type { Migration } from './migration.ts';

/** What a name looks like. Superseded by 0003. */
export const lookAlikes: Migration = {
  version: 2,
  sqlite: `
    ALTER TABLE users ADD COLUMN username_skeleton TEXT;
    CREATE INDEX users_skeleton ON users (username_skeleton);
  `,
};
