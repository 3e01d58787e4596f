/** Links that set a password end with everything that changes who may have made them, or for whom. */
import { sql } from './sql.ts';
import { run, type Steps } from './steps.ts';

/** Ends the links that set the person's password, and those that the person has made for others. */
export function* endResetsOf(userId: number): Steps<void> {
  yield* run(sql`DELETE FROM password_resets WHERE user_id = ${userId} OR created_by = ${userId}`);
}
