import type { SharedMigration } from './migration.ts';

/**
 * The index of texts on PostgreSQL; that of SQLite is in a file of its own (data/search).
 *
 * - `search_texts.tokens`: each begins with the number of the volume that the message is in, so that one index is many.
 *   The planner keeps no statistics of them. A query reads the list of entries that are not in the index yet, so that
 *   list is short.
 * - `search_state`: of which words the index was made, and how far back it reaches.
 */
export const search: SharedMigration = {
  version: 15,
  runsFrom: 7,
  sqlite: '',
  postgres: `
    CREATE TABLE search_texts (
      message_id BIGINT PRIMARY KEY,
      room_id BIGINT NOT NULL,
      tokens TSVECTOR NOT NULL
    );
    ALTER TABLE search_texts ALTER COLUMN tokens SET STATISTICS 0;
    CREATE INDEX search_texts_tokens ON search_texts USING GIN (tokens) WITH (gin_pending_list_limit = 512);
    CREATE TABLE search_state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      words TEXT NOT NULL,
      from_id BIGINT,
      since BIGINT
    );
  `,
};
