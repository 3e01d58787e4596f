/** The beginnings by which people are found, as rows. */
import { searchKeys } from '../../../../protocol/search/names.ts';
import { type Sql, sql } from './sql.ts';
import { run, type Steps } from './steps.ts';

/** Follows every text that begins alike: no name has this character. */
const LAST = '\u{10FFFF}';

/** Replaces the words of a user. */
export function* putWords(userId: number, names: readonly string[]): Steps<void> {
  yield* run(sql`DELETE FROM user_words WHERE user_id = ${userId}`);
  for (const word of new Set(names.flatMap(searchKeys)))
    yield* run(sql`INSERT INTO user_words (user_id, word) VALUES (${userId}, ${word})`);
}

/** A condition on `user_words`, by an index: the word begins like this. */
export function beginsWith(start: string): Sql {
  return sql`word >= ${start} AND word < ${`${start}${LAST}`}`;
}
