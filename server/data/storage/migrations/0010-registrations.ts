import type { SharedMigration } from './migration.ts';

/** - `registrations`: from which address an account was made, and when. Rows are deleted after 7 days. */
export const registrations: SharedMigration = {
  version: 10,
  runsFrom: 7,
  sqlite: `
    CREATE TABLE registrations (
      user_id INTEGER PRIMARY KEY REFERENCES users (id),
      address TEXT NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX registrations_at ON registrations (at);
  `,
  postgres: `
    CREATE TABLE registrations (
      user_id BIGINT PRIMARY KEY REFERENCES users (id),
      address TEXT NOT NULL,
      at BIGINT NOT NULL
    );
    CREATE INDEX registrations_at ON registrations (at);
  `,
};
