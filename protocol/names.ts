/**
 * Which names, passwords and short texts are allowed. Client and server share these rules, so that a form refuses what
 * the server would refuse. Apart from `text.ts`, because a page needs them only for its forms.
 */
import { EMOJI_MAX, PASSWORD, ROOM_NAME, USERNAME } from './limits.ts';
import { isMentionable } from './mentions.ts';
import { qualifiedEmoji } from './qualified-emoji.ts';
import { codePointLength, nameKey } from './text.ts';

/**
 * Characters that a name may not contain, because they are invisible: all of category C (control, format, surrogate,
 * private use, unassigned), line and paragraph separators, every space but U+0020, what Unicode calls default
 * ignorable, and the blank glyphs that no property lists.
 */
const FORBIDDEN_IN_NAMES =
  /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}\u{16FE4}\u{1D159}\u{13441}\u{13442}]|(?! )\p{Zs}/u;

/**
 * Combining marks that a name may not have in its NFD form (Unicode TS 39 §5.4): a mark without a letter, more than
 * four on one letter, or the same mark twice in a row.
 */
const MISUSED_MARKS = /(?:^| )\p{M}|[\p{Mn}\p{Me}]{5}|([\p{Mn}\p{Me}])\1/u;

/** A dot above a letter that already has one (`i`, `j`, with or without marks below), in NFD: it is invisible. */
const HIDDEN_DOTS =
  /(\p{Soft_Dotted}[\u0316-\u0333\u0339-\u033C\u0347-\u0349\u034D\u034E\u0353-\u0356]*)\u0307+/gu;

/** Trims Unicode white space. `trim()` would also remove U+FEFF, which is an invisible character but not a space. */
function trimWhiteSpace(text: string): string {
  return text.replace(/^\p{White_Space}+|\p{White_Space}+$/gu, '');
}

interface Lengths {
  min: number;
  max: number;
}

/** The name in NFC, trimmed; null when no version of the rules allowed it. */
function composeName(raw: string, limits: Lengths): string | null {
  // Normalising costs time, and no name within the limits is this long.
  if (raw.length > limits.max * 8 || !raw.isWellFormed()) return null;
  return allowedName(trimWhiteSpace(raw.normalize('NFC')), limits);
}

function allowedName(name: string, { min, max }: Lengths): string | null {
  const length = codePointLength(name);
  return length < min || length > max || FORBIDDEN_IN_NAMES.test(name) ? null : name;
}

/** Removes repeated spaces and hidden dots: names that differ only in these look the same. */
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
 * A new user's name as it is stored (NFC, trimmed, single spaces, no second dot on a letter), or null when it breaks a
 * rule. A name that no mention could mean is refused: one with many quotes, or with code behind a quote.
 */
export function normalizeUsername(raw: string): string | null {
  const name = normalizeName(raw, USERNAME);
  return name !== null && isMentionable(name) ? name : null;
}

/**
 * The keys under which a typed name may be stored: first as typed, for names that are older than some rules of
 * `normalizeUsername`; last as `normalizeUsername` stores it. Empty when no user can have this name.
 */
export function usernameKeys(typed: string): string[] {
  const composed = composeName(typed, USERNAME);
  return composed === null ? [] : [...new Set([composed, withoutDoubles(composed)].map(nameKey))];
}

/**
 * The same for all spellings that `usernameKeys` finds one account by, to count them as one; empty when nobody can have
 * the name. In small letters a name may gain a dot that is then dropped (`\u0130`), so neighbours may share it, too.
 */
export function usernameCounter(typed: string): string {
  return withoutDoubles(usernameKeys(typed).at(-1) ?? '');
}

/** A new room's name as it is stored, or null when it breaks a rule; the rules are those for usernames. */
export function normalizeRoomName(raw: string): string | null {
  return normalizeName(raw, ROOM_NAME);
}

/**
 * What free text may have although names may not: the invisible parts of pictures and flags (UTS #51), and the joiners
 * that some scripts need between letters (UAX #31 §2.3).
 */
const INVISIBLE_PARTS =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|[0-9#*])\uFE0F|(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=\p{L}|\p{M})(?:\u200C|\u200D)(?=\p{L}|\p{M})/gu;

/** One line of free text, such as a topic, as it is stored: NFC, trimmed. Null when it is too long or not allowed. */
export function oneLine(raw: string, max: number): string | null {
  if (raw.length > max * 8 || !raw.isWellFormed()) return null;
  const text = trimWhiteSpace(raw.normalize('NFC'));
  const isAllowed = !FORBIDDEN_IN_NAMES.test(text.replace(INVISIBLE_PARTS, ''));
  return isAllowed && codePointLength(text) <= max ? text : null;
}

/** The same for text of several lines, such as a description. Lines end in `\n`, and may have tabs. */
export function manyLines(raw: string, max: number): string | null {
  if (raw.length > max * 8 || !raw.isWellFormed()) return null;
  const text = trimWhiteSpace(raw.normalize('NFC').replace(/\r\n?/g, '\n'));
  const isAllowed = text.split(/[\n\t]/).every((part) => oneLine(part, max) !== null);
  return isAllowed && codePointLength(text) <= max ? text : null;
}

/** One emoji by its form (UTS #51 §1.4.9): a picture with its modifiers, joined pictures, a flag or a keycap. */
const EMOJI =
  /^(?:\p{Regional_Indicator}{2}|[0-9#*]\uFE0F?\u20E3|\p{Emoji}\p{Emoji_Modifier}?\uFE0F?(?:[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Emoji}\p{Emoji_Modifier}?\uFE0F?)*)$/u;

/** Whether this was ever allowed as an emoji. New ones have to be more. */
export function hasFormOfEmoji(text: string): boolean {
  return text.length <= EMOJI_MAX && EMOJI.test(text);
}

/** What Unicode counts as emoji although it is a part of one: a letter of a flag, a skin tone. */
const PART_OF_EMOJI = /(?:^|\u200D)(?!\p{Regional_Indicator}{2}$)[\p{Regional_Indicator}\p{Emoji_Modifier}]/u;

/** Whether this is one emoji that can be shown. */
export function isEmoji(text: string): boolean {
  if (!hasFormOfEmoji(text) || PART_OF_EMOJI.test(text)) return false;
  return !/\p{Regional_Indicator}/u.test(text) || isFlag(text);
}

const UNICODE_SETS = 'v';
let flag: RegExp | undefined;

/** Whether two letters are the flag of a region. Sark is newer than some versions of Node know. */
function isFlag(text: string): boolean {
  // Made when it is used: some supported browsers cannot read this flag of patterns, and do not need it.
  flag ??= new RegExp('^(?:\\u{1F1E8}\\u{1F1F6}|\\p{RGI_Emoji_Flag_Sequence})$', UNICODE_SETS);
  return flag.test(text);
}

/** What Unicode counts as emoji although it is text, such as a digit without a keycap: with joiners, a whole number. */
const TEXT_OF_EMOJI = /[0-9#*](?!\uFE0F?\u20E3)/;

const TAG = /[\u{E0020}-\u{E007F}]/u;
/** England, Scotland and Wales. Other tags are not drawn, so that many emoji would look the same (UTS #51, RGI). */
const FLAG_WITH_TAGS =
  /^\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}$/u;
/** A family, or a kiss of two people: no picture is joined of more. */
const JOINED_MAX = 4;

/** Letters and digits at both ends, so that no `_` of a name is taken for emphasis. */
const EMOJI_NAME = /^[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])$/;

/** Whether an emoji of the server may be called so. */
export function isEmojiName(text: string): boolean {
  return EMOJI_NAME.test(text);
}

/** The name in `:name:`; null for all else. */
export function nameOfEmoji(text: string): string | null {
  const name = text.slice(1, -1);
  return text === `:${name}:` && isEmojiName(name) ? name : null;
}

/** Whether people may react with this, as it is and in its fully-qualified form: an emoji, or one of the server. */
export function isReaction(text: string): boolean {
  if (nameOfEmoji(text) !== null) return true;
  if (!isEmoji(text) || !isEmoji(qualifiedEmoji(text)) || TEXT_OF_EMOJI.test(text)) return false;
  return text.split('\u200D').length <= JOINED_MAX && (!TAG.test(text) || FLAG_WITH_TAGS.test(text));
}

/** The password as it is hashed: NFC, not trimmed; null when it is too short, too long or not well-formed text. */
export function normalizePassword(raw: string): string | null {
  if (raw.length > PASSWORD.max * 8 || !raw.isWellFormed() || raw.includes('\0')) return null;
  const password = raw.normalize('NFC');
  const length = codePointLength(password);
  return length < PASSWORD.min || length > PASSWORD.max ? null : password;
}
