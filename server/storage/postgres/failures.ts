/** Why a statement failed, and what that says about its effect. */

/**
 * - `unsent`: the statement never reached the database.
 * - `refused`: the database refused it and changed nothing.
 * - `faulty`: the same, because of a value that it was given.
 * - `unknown`: it may or may not have taken effect.
 */
export type Fate = 'unsent' | 'refused' | 'faulty' | 'unknown';

/** `code`: PostgreSQL's SQLSTATE, where it gave one. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure';
  readonly fate: Fate;
  readonly code: string | undefined;

  constructor(message: string, fate: Fate, code?: string) {
    super(message);
    this.fate = fate;
    this.code = code;
  }
}

/** SQLSTATEs: a write that found no space, and a statement that the user may not run. */
export const DISK_FULL = '53100';
export const NOT_PERMITTED = '42501';

/** The server shuts down, has shut down, or is a standby now: another host may be the primary. */
export function isAway(code: string | undefined): boolean {
  return code !== undefined && (/^(08|57P0)/.test(code) || code === '25006');
}

/** What an error response of the server says about its statement. */
export function fateOf(code: string): Fate {
  if (isAway(code)) return 'unknown';
  return /^2[23]/.test(code) ? 'faulty' : 'refused';
}

export function codeOf(error: unknown): string | undefined {
  if (error instanceof DatabaseFailure) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
