/** Single values: a mark that a write succeeds, and who was online before a planned restart. */
import type { SavedRoster } from '../store.ts';
import { sql } from './sql.ts';
import { first, run, type Steps } from './steps.ts';

const ROSTER = 'roster';

function* write(key: string, value: string): Steps<void> {
  yield* run(sql`
    INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
}

/** A write of nothing that matters: it succeeds where any write would. */
export function* touch(now: number): Steps<void> {
  yield* write('touched_at', String(now));
}

export function* saveRoster(roster: SavedRoster): Steps<void> {
  yield* write(ROSTER, JSON.stringify(roster));
}

export function* takeRoster(): Steps<SavedRoster | undefined> {
  const row = yield* first<{ value: string }>(sql`DELETE FROM meta WHERE key = ${ROSTER} RETURNING value`);
  return row && JSON.parse(row.value);
}
