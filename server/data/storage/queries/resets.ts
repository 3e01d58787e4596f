/** Links that set a password end with everything that changes who may have made them, or for whom. */
import { sql } from './sql.ts';
import { run, type Steps } from './steps.ts';

/** Stands before the hash of a code that signs in: such a link ends with the sessions, and one for a password does not. */
const SIGNS_IN = 'sign-in ';

/** What is stored of the code of a link that signs in. */
export function signInKey(codeHash: string): string {
  return SIGNS_IN + codeHash;
}

/** Ends the links that sign the person in. */
export function* endSignInLinksOf(userId: number): Steps<void> {
  yield* run(sql`DELETE FROM password_resets WHERE user_id = ${userId} AND code_hash LIKE ${`${SIGNS_IN}%`}`);
}

/** Ends the links that set the person's password, and those that the person has made for others. */
export function* endResetsOf(userId: number): Steps<void> {
  yield* run(sql`DELETE FROM password_resets WHERE user_id = ${userId} OR created_by = ${userId}`);
}
