/** Why a statement failed, and what that says about its effect. */
import { AppError } from '../../../../protocol/errors.ts';

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

  constructor(message: string, fate: Fate, code?: string, cause?: unknown) {
    super(message, { cause });
    this.fate = fate;
    this.code = code;
  }
}

/** What answers there is no server that Roomful can use, now or later. */
export class UnsuitableServerError extends Error {
  override readonly name = 'UnsuitableServerError';
}

/** SQLSTATEs: a write that found no space, and a statement that the user may not run. */
export const DISK_FULL = '53100';
export const NOT_PERMITTED = '42501';

/**
 * SQLSTATEs of what stays as it is: a login, a database or a right that there is not, and statements that do not fit
 * what is in the database.
 */
const PERMANENT = /^(28|3D|3F|42|0A|22|23)/;

/** Whether it stays until a person changes a setting or a right. Anything else may pass by itself. */
export function isPermanent(error: unknown): boolean {
  if (error instanceof UnsuitableServerError) return true;
  if (error instanceof DatabaseFailure && error.cause !== undefined) return isPermanent(error.cause);
  const code = codeOf(error);
  return code !== undefined && PERMANENT.test(code);
}

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
  // Names of the system's errors, such as EPIPE, begin with an E.
  return typeof code === 'string' && /^[0-9A-DF-Z][0-9A-Z]{4}$/.test(code) ? code : undefined;
}

/** Rejects with `service_unavailable` in place of a failure of the database. */
export async function retryably<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof DatabaseFailure) throw unavailable(error);
    throw error;
  }
}

export function unavailable(cause?: unknown): AppError {
  return new AppError('service_unavailable', { cause, retryAfterMs: 1000 });
}
