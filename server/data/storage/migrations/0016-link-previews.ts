import type { SharedMigration } from './migration.ts';

/**
 * - `link_previews`: what pages have said of themselves, for a day, failures too. It tells nothing to whoever does not
 *   know the address: `url_hash` is a hash of it, and `data` is encrypted with it (server/features/previews/kept.ts).
 * - `preview_tasks`: messages whose links are still to be looked at. `user_id`: the author.
 */
export const linkPreviews: SharedMigration = {
  version: 16,
  runsFrom: 7,
  sqlite: `
    CREATE TABLE link_previews (
      url_hash TEXT PRIMARY KEY,
      data TEXT NOT NULL,
      fetched_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX link_previews_age ON link_previews (fetched_at);
    CREATE TABLE preview_tasks (
      message_id INTEGER PRIMARY KEY,
      room_id INTEGER NOT NULL,
      user_id INTEGER NOT NULL
    ) STRICT;
  `,
  postgres: `
    CREATE TABLE link_previews (
      url_hash TEXT COLLATE "C" PRIMARY KEY,
      data TEXT NOT NULL,
      fetched_at BIGINT NOT NULL
    );
    CREATE INDEX link_previews_age ON link_previews (fetched_at);
    CREATE TABLE preview_tasks (
      message_id BIGINT PRIMARY KEY,
      room_id BIGINT NOT NULL,
      user_id BIGINT NOT NULL
    );
  `,
};
