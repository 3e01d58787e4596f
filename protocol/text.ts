/**
 * Which text is allowed. Client and server share these rules, so that a form refuses what the server would refuse.
 * Lengths are counted in code points (`[...s].length`).
 */
import { CID, MESSAGE_CONTENT, PASSWORD, ROOM_NAME, USERNAME } from './limits.ts';

/**
 * Characters that a name may not hold, because nobody sees them: everything in category C (control, format, surrogate,
 * private use, unassigned), line and paragraph separators, every space but U+0020, what Unicode calls default
 * ignorable, and the blank glyphs that no property lists.
 */
const FORBIDDEN_IN_NAMES =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}\u{16FE4}\u{1D159}\u{13441}\u{13442}]|(?! )\p{Zs}/u;

/**
 * What a name's marks may not do, in its NFD form (Unicode TS 39 §5.4): stand without a letter, be more than four on
 * one, or be the same mark twice in a row.
 */
const MISUSED_MARKS = /(?:^| )\p{M}|[\p{Mn}\p{Me}]{5}|(\p{Mn})\1/u;

/** A dot above a letter that has one already (`i`, `j`, with or without marks below), in NFD: nobody sees it. */
const HIDDEN_DOTS =
  /(\p{Soft_Dotted}[\u0316-\u0333\u0339-\u033C\u0347-\u0349\u034D\u034E\u0353-\u0356]*)\u0307+/gu;

export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Trims what Unicode calls white space; `trim()` would also take U+FEFF, which is no space but invisible. */
function trimWhiteSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

interface Lengths {
  min: number;
  max: number;
}

/** NFC and trimmed, or null for what was never allowed. */
function composeName(raw: string, limits: Lengths): string | null {
  // Normalising takes time, and no text within the limits is this long.
  if (raw.length > limits.max * 8 || !raw.isWellFormed()) return null;
  return allowedName(trimWhiteSpace(raw.normalize('NFC')), limits);
}

function allowedName(name: string, { min, max }: Lengths): string | null {
  const length = codePointLength(name);
  return length < min || length > max || FORBIDDEN_IN_NAMES.test(name) ? null : name;
}

/** Without what makes two names that look the same: repeated spaces and hidden dots. */
function withoutDoubles(name: string): string {
  return name.replace(/ {2,}/g, ' ').normalize('NFD').replace(HIDDEN_DOTS, '$1').normalize('NFC');
}

function normalizeName(raw: string, limits: Lengths): string | null {
  const composed = composeName(raw, limits);
  if (composed === null) return null;
  const name = withoutDoubles(composed);
  return MISUSED_MARKS.test(name.normalize('NFD')) ? null : allowedName(name, limits);
}

/**
 * A new user's name as it is stored, or null when it breaks a rule: NFC, trimmed, single spaces, and no dot on a letter
 * that has one.
 */
export function normalizeUsername(raw: string): string | null {
  return normalizeName(raw, USERNAME);
}

/**
 * The keys under which a typed name may be found: as it is typed, for names from before `normalizeUsername` had all its
 * rules, and as `normalizeUsername` stores it, which is always the last. None: nobody can have this name.
 */
export function usernameKeys(typed: string): string[] {
  const composed = composeName(typed, USERNAME);
  return composed === null ? [] : [...new Set([composed, withoutDoubles(composed)].map(nameKey))];
}

/** A new room's name as it is stored, or null when it breaks a rule; the rules are those for usernames. */
export function normalizeRoomName(raw: string): string | null {
  return normalizeName(raw, ROOM_NAME);
}

/**
 * The form in which names are unique: NFKC and full case folding, over the decomposed form (UAX #15, UAX #31 R5).
 * JavaScript has no case folding. Lower, upper and lower case again equals it, with two exceptions: dotless i must not
 * become i, and final sigma must become the other sigma.
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

/** The password as it is hashed: NFC, never trimmed; null when it is too short, too long or not text. */
export function normalizePassword(raw: string): string | null {
  if (raw.length > PASSWORD.max * 8 || !raw.isWellFormed() || raw.includes('\0')) return null;
  const password = raw.normalize('NFC');
  const length = codePointLength(password);
  return length < PASSWORD.min || length > PASSWORD.max ? null : password;
}

/** Whether a message may have this content, which is kept exactly as it was sent. */
export function isMessageContent(text: string): boolean {
  if (text.length > MESSAGE_CONTENT.max * 2 || text.includes('\0') || !text.isWellFormed()) return false;
  return /\P{White_Space}/u.test(text) && codePointLength(text) <= MESSAGE_CONTENT.max;
}

/** What a message costs of its author's budget for text (`TEXT_PER_USER`), in KiB of JSON. */
export function textKib(content: string): number {
  return Math.ceil(JSON.stringify(content).length / 1024);
}

/** Whether this can be a client's message id: 1 to 64 characters, no NUL, well formed. */
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
