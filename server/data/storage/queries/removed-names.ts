/** What removed accounts are called in what was written before. */
import type { UserRow } from '../store.ts';
import { list, sql } from './sql.ts';
import { all, type Steps } from './steps.ts';

/** `users.kind` of a removed account. */
export const REMOVED = 'removed';

interface People {
  by?: UserOfNotice;
  member?: UserOfNotice;
}
interface UserOfNotice {
  user_id: number;
  username: string;
}

/** Notices keep the names of their time. Those of removed accounts are replaced by the names that these have now. */
export function* renameRemoved(notices: readonly { extra: string | null }[]): Steps<void> {
  if (notices.length === 0) return;
  const parsed = notices.map((row) => ({ row, notice: JSON.parse(row.extra ?? '{}') as People }));
  const people = parsed.flatMap(({ notice: { by, member } }) =>
    [by, member].filter((one) => one !== undefined),
  );
  if (people.length === 0) return;
  const ids = list([...new Set(people.map(({ user_id }) => user_id))]);
  const removed = yield* all<UserRow>(
    sql`SELECT id, username FROM users WHERE id IN (${ids}) AND kind = ${REMOVED}`,
  );
  if (removed.length === 0) return;
  const names = new Map(removed.map(({ id, username }) => [id, username]));
  for (const person of people) person.username = names.get(person.user_id) ?? person.username;
  for (const { row, notice } of parsed) row.extra = JSON.stringify(notice);
}
