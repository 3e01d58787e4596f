/** The forms of a username by which people are found and compared, for a name that somebody may have. */
import { AppError } from '../../../protocol/errors.ts';
import { nameKey } from '../../../protocol/text.ts';
import { isImitation, isReserved, looksOf, type NameLooks } from './looks.ts';

/** `username` in its normal form. Throws `username_taken` for a name that nobody may have. */
export function formsOfUsername(username: string): NameLooks & { username: string; key: string } {
  if (isReserved(username) || isImitation(username)) throw new AppError('username_taken');
  return { username, key: nameKey(username), ...looksOf(username) };
}
