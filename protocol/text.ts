/**
 * What text may be. Both sides use these rules, so that a form refuses what the server would refuse.
 * Lengths are counted in code points (`[...s].length`), as UAX #15 forms make UTF-16 lengths meaningless to people.
 */
import { CID, MESSAGE_CONTENT, PASSWORD, ROOM_NAME, USERNAME } from './limits.ts';

/**
 * Characters that a name may not hold, because two names that look alike must be alike: everything in
 * category C (control, format, surrogate, private use, unassigned), line and paragraph separators, every space
 * but U+0020, what Unicode calls default ignorable, and the blank glyphs that no property lists.
 */
const FORBIDDEN_IN_NAMES =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}\u{16FE4}\u{1D159}\u{13441}\u{13442}]|(?! )\p{Zs}/u;

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Trims what Unicode calls white space; `trim()` would take U+FEFF, which is no space but invisible, with it. */
function trimWhiteSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

function normalizeName(raw: string, limits: { min: number; max: number }): string | null {
  // Far more than any text within the limits needs; normalising costs time.
  if (raw.length > limits.max * 8) return null;
  if (!raw.isWellFormed()) return null;
  const name = trimWhiteSpace(raw.normalize('NFC'));
  const length = codePointLength(name);
  if (length < limits.min || length > limits.max) return null;
  return FORBIDDEN_IN_NAMES.test(name) ? null : name;
}

/** The username as stored (NFC, trimmed), or null when it breaks a rule. */
export function normalizeUsername(raw: string): string | null {
  return normalizeName(raw, USERNAME);
}

/** The room name as stored (NFC, trimmed), or null when it breaks a rule. */
export function normalizeRoomName(raw: string): string | null {
  return normalizeName(raw, ROOM_NAME);
}

/**
 * The form in which names are unique: NFKC and full case folding, over the decomposed form (UAX #15, UAX #31 R5).
 * JavaScript has no case folding; lower, upper and lower case again equals it but for dotless i, which must not
 * become i, and final sigma, which must become the other one.
 */
export function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .split('\u0131')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('\u0131')
    .replaceAll('\u03C2', '\u03C3')
    .normalize('NFKC');
}

/** The password as hashed: NFC, never trimmed; null when it is too short, too long or not text. */
export function normalizePassword(raw: string): string | null {
  if (raw.length > PASSWORD.max * 8 || !raw.isWellFormed() || raw.includes('\0')) return null;
  const password = raw.normalize('NFC');
  const length = codePointLength(password);
  return length < PASSWORD.min || length > PASSWORD.max ? null : password;
}

/** Message content is kept exactly as sent; this only says whether it may be. */
export function isMessageContent(text: string): boolean {
  if (text.length > MESSAGE_CONTENT.max * 2 || text.includes('\0') || !text.isWellFormed()) return false;
  return /\P{White_Space}/u.test(text) && codePointLength(text) <= MESSAGE_CONTENT.max;
}

/** What a message takes of its author's budget for text (`TEXT_PER_USER`). */
export function textKib(content: string): number {
  return Math.ceil(JSON.stringify(content).length / 1024);
}

/** A client's message id: 1 to 64 characters, no NUL, well formed. */
export function isCid(text: string): boolean {
  if (text.length > CID.max * 2 || text.includes('\0') || !text.isWellFormed()) return false;
  const length = codePointLength(text);
  return length >= CID.min && length <= CID.max;
}

/** A positive integer up to 2^53-1 in plain decimal digits (`0x10`, `1e0`, ` 1`, `1.5` are not), or null. */
export function parseId(text: string): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null;
  const id = Number(text);
  return id >= 1 && Number.isSafeInteger(id) ? id : null;
}

/** A place in a room's numbering, from 0, in plain decimal digits, or null. */
export function parseSeq(text: string): number | null {
  return /^0+$/.test(text) ? 0 : parseId(text);
}
