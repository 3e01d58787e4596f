/** The names that emoji of Unicode have between colons, in completion and in pickers. */
import { STANDARD_EMOJI_NAMES } from './standard-emoji-names.ts';

const FLAG = /^flag-[a-z]{2}$/;
let names: ReadonlySet<string> | undefined;

/** Whether an emoji of Unicode is called so: no emoji of a server may be. */
export function isStandardEmoji(name: string): boolean {
  names ??= new Set(STANDARD_EMOJI_NAMES.trim().split(/\s+/));
  return FLAG.test(name) || names.has(name);
}
