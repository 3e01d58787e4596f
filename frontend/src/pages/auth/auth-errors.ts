import { ApiError } from '../../../../client/index.ts';
import { normalizePassword, normalizeUsername } from '../../../../protocol/names.ts';
import { explain } from '../../i18n/errors.ts';
import type { FullTexts, ScreenTexts } from '../../i18n/screens.ts';

export type AuthMode = 'sign_in' | 'sign_up';

/** What is wrong, by the field that it belongs to; `form` when it belongs to none. */
export interface AuthErrors {
  readonly username?: string;
  readonly password?: string;
  readonly form?: string;
  /** The account may be the user's own. */
  readonly isTaken?: boolean;
}

/** The errors that the form finds without the server, or null. */
export function checkForm(
  text: FullTexts,
  mode: AuthMode,
  username: string,
  password: string,
): AuthErrors | null {
  const valid = {
    username: mode === 'sign_up' ? normalizeUsername(username) !== null : username !== '',
    password: mode === 'sign_up' ? normalizePassword(password) !== null : password !== '',
  };
  if (valid.username && valid.password) return null;
  return {
    ...(valid.username
      ? {}
      : { username: username === '' ? text.auth.usernameMissing : text.auth.usernameBroken }),
    ...(valid.password
      ? {}
      : { password: password === '' ? text.auth.passwordMissing : text.auth.passwordBroken }),
  };
}

function explainRefusal(text: FullTexts, error: ApiError, door: ScreenTexts['door']): string {
  if (error.message === 'registration closed') return door.closed;
  if (error.message !== 'account suspended') return explain(text, error);
  return error.reason ? `${door.suspended} ${door.why(error.reason)}` : door.suspended;
}

/** What the server's error means to the user, and how long they have to wait. */
export function authErrors(
  text: FullTexts,
  error: unknown,
  door: ScreenTexts['door'],
): { readonly errors: AuthErrors; readonly retryAfterMs?: number } {
  if (!(error instanceof ApiError)) return { errors: { form: text.errors.other } };
  switch (error.status) {
    case 401:
      return { errors: { password: text.auth.wrong } };
    case 403:
      return { errors: { form: explainRefusal(text, error, door) } };
    case 409:
      return { errors: { username: text.auth.usernameTaken, isTaken: true } };
    case 429:
      return { errors: {}, retryAfterMs: error.retryAfterMs ?? 1000 };
    default:
      return { errors: { form: explain(text, error) } };
  }
}
