import type { Migration } from './migration.ts';

/**
 * The beginnings by which people are found (protocol/search/names.ts): a row for each word of a username
 * and of a display name. `migrate` computes them for people from before. `users.display_key` is not used any more; a
 * later release drops it.
 */
export const peopleSearch: Migration = {
  version: 5,
  sqlite: `
    DROP INDEX users_search;
    CREATE TABLE user_words (
      user_id INTEGER NOT NULL REFERENCES users (id),
      word TEXT NOT NULL,
      PRIMARY KEY (user_id, word)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX user_words_search ON user_words (word, user_id);
  `,
};
