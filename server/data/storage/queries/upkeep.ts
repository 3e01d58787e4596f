/** Single values in `meta`, among them the mark that a write succeeds. */
import { sql } from './sql.ts';
import { run, type Steps } from './steps.ts';

export function* writeMeta(key: string, value: string): Steps<void> {
  yield* run(sql`
    INSERT INTO meta (key, value) VALUES (${key}, ${value}) ON CONFLICT (key) DO UPDATE SET value = excluded.value`);
}

/** A write without a meaning: it succeeds whenever any other write would. */
export function* touch(now: number): Steps<void> {
  yield* writeMeta('touched_at', String(now));
}
