/**
 * The words of a text, as a search sees them: each with its folded form, its place among the words, and where it stands
 * in the text. The index, the query and the decision whether a message is found all begin here.
 */
import { foldWord } from './fold.ts';

export interface Word {
  /** What is compared. */
  key: string;
  /**
   * - `word`: letters and digits of a script that puts spaces between words.
   * - `sign`: one character of a script that does not, such as Chinese, or of Korean, whose words have many endings.
   * - `emoji`: one emoji, without its skin tone.
   */
  kind: 'word' | 'sign' | 'emoji';
  /** Its place among the words of the text. A word with parts, such as `user_id`, begins at the place of the first. */
  at: number;
  /** The place behind it. */
  next: number;
  /** Where it stands in the text, in UTF-16 units: from `from` up to `to`, which is not included. */
  from: number;
  to: number;
}

/** Some systems take Korean syllables apart in the names of files. */
const SYLLABLE =
  '[\\u1100-\\u115F\\uA960-\\uA97C]+[\\u1160-\\u11A7\\uD7B0-\\uD7C6]*[\\u11A8-\\u11FF\\uD7CB-\\uD7FB]*';
const SIGN = `(?:${SYLLABLE}|(?=[\\p{L}\\p{N}])[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{sc=Hang}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmr}\\p{sc=Mymr}])`;
const LETTER = `(?:(?!${SIGN})[\\p{L}\\p{N}])`;
/** An apostrophe between letters. */
const APOSTROPHE = `['\`´‘’‛′ʹʻʼʽʾʿˈ׳](?=${LETTER})`;
/** Voiced marks of half-width katakana are letters to Unicode, and belong to the one before. */
const MARKS = '[\\p{M}\\uFF9E\\uFF9F\\u200C\\u200D]';
const EMOJI =
  '(?:\\p{RI}\\p{RI}|[0-9#*]\\uFE0F?\\u20E3|(?![0-9#*])\\p{Emoji}\\uFE0F?\\p{EMod}?(?:\\u200D\\p{Emoji}\\uFE0F?\\p{EMod}?)*)';
/** Most words of Latin, Greek and Cyrillic letters, found without a look at the classes of all scripts. */
const COMMON = 'A-Za-z0-9\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u024F\\u03B1-\\u03C9\\u0400-\\u0481';
const PLAIN = `[${COMMON}]+(?![${COMMON}_'\`]|[^\\0-\\x7F])`;
const WORDS = new RegExp(
  `(${PLAIN})|(${EMOJI})|(${SIGN}${MARKS}*)|${LETTER}(?:${LETTER}|${MARKS}|_(?=_*${LETTER})|${APOSTROPHE})*`,
  'gu',
);
const HAS_PARTS = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;
const IS_ASCII = /^[A-Za-z0-9]+$/;

/** Looked for at each letter, so without a bound a text of marks alone would cost a second. */
const FEW_MARKS = '\\p{M}{0,4}';
/** Where a part of a word begins: behind `_` and an apostrophe, at the capital of `getUser`, at the last of `HTTPServer`. */
const PARTS = new RegExp(
  `(?<=_)(?=[^_])|(?<=${APOSTROPHE.replace(/\(\?=.*$/u, '')})|(?=\\p{Lu})(?<=\\p{Ll}${FEW_MARKS})|(?=\\p{Lu}${FEW_MARKS}\\p{Ll})(?<=\\p{Lu}${FEW_MARKS})`,
  'u',
);
/** A word of more parts is found as a whole alone: it is a key or a hash rather than a name. */
const PARTS_MAX = 16;
/** UTF-16 units. A longer word is known by these, so that one of thousands of letters costs little. */
const WORD_MAX = 128;
const END_OF_PART = /[_'`´‘’‛′ʹʻʼʽʾʿˈ׳]+$/u;
const SHADES = /\uFE0F|\p{EMod}/gu;

/** All words of the text, in its order; a word with parts comes before them. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  for (const [found, plain, emoji, sign] of matches(text)) {
    const from = WORDS.lastIndex - found.length;
    const to = WORDS.lastIndex;
    if (plain !== undefined && !HAS_PARTS.test(plain))
      words.push({ key: plainKey(plain), kind: 'word', at, next: ++at, from, to });
    else if (emoji !== undefined)
      words.push({ key: emoji.replace(SHADES, '') || emoji, kind: 'emoji', at, next: ++at, from, to });
    else if (sign !== undefined) words.push({ key: foldWord(sign), kind: 'sign', at, next: ++at, from, to });
    else at = addWord(words, { text: found, at, from });
  }
  return words;
}

function plainKey(word: string): string {
  return IS_ASCII.test(word) ? word.toLowerCase() : foldWord(word);
}

/** A match has no groups by name: they would be a third of the work. */
function* matches(text: string): Generator<RegExpExecArray> {
  WORDS.lastIndex = 0;
  for (;;) {
    const found = WORDS.exec(text);
    if (!found) return;
    yield found;
  }
}

/** Adds a word and its parts. Returns the place behind it. */
function addWord(words: Word[], { text, at, from }: { text: string; at: number; from: number }): number {
  const key = keyOf(text);
  if (key === '') return at;
  const parts = text.split(PARTS, PARTS_MAX + 1);
  const isSplit = parts.length > 1 && parts.length <= PARTS_MAX;
  const next = at + (isSplit ? parts.length : 1);
  words.push({ key, kind: 'word', at, next, from, to: from + text.length });
  if (!isSplit) return next;
  let start = from;
  for (const [index, raw] of parts.entries()) {
    const part = raw.replace(END_OF_PART, '');
    const place = { at: at + index, next: at + index + 1, from: start, to: start + part.length };
    start += raw.length;
    const partKey = keyOf(part);
    if (partKey !== '') words.push({ key: partKey, kind: 'word', ...place });
  }
  return next;
}

function keyOf(word: string): string {
  return foldWord(word.slice(0, WORD_MAX).replace(/[\uD800-\uDBFF]$/, ''));
}
