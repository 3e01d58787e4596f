/**
 * The folding of all searches: what people type without accents and capitals finds what is written with them. It is for
 * searches alone: names are told apart by `nameKey`, for which `jurgen` is not `Jürgen`.
 */
import { nameKey } from '../text.ts';

/** Marks on letters of scripts that are also written without them. In others, such as Devanagari, marks are vowels. */
const MARKED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+/gu;

/** Letters of the Latin alphabet that Unicode does not take apart, each with what is typed instead. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ...[...'đðɖɗ'].map((letter) => [letter, 'd'] as const),
  ...[...'øɵɔ'].map((letter) => [letter, 'o'] as const),
  ...[...'əɛǝ'].map((letter) => [letter, 'e'] as const),
  ...[...'ŋɲɳ'].map((letter) => [letter, 'n'] as const),
  ...[...'ŧƭʈ'].map((letter) => [letter, 't'] as const),
  ...([
    ['æ', 'ae'],
    ['œ', 'oe'],
    ['þ', 'th'],
    ['ħ', 'h'],
    ['ı', 'i'],
    ['ɨ', 'i'],
    ['ĸ', 'k'],
    ['ƙ', 'k'],
  ] as const),
  ...([
    ['ł', 'l'],
    ['ɓ', 'b'],
    ['ƒ', 'f'],
    ['ɠ', 'g'],
    ['ǥ', 'g'],
    ['ʋ', 'v'],
    ['ƴ', 'y'],
    ['ƶ', 'z'],
  ] as const),
]);
const WITHOUT_PARTS = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'gu');

/** Some keyboards have one of these only, and a text program makes another of it. Many leave it out. */
const APOSTROPHES = /['`´‘’‛′ʹʻʼʽʾʿˈ׳]/gu;

/** Katakana, each of which is the hiragana that is 96 code points before it. */
const KATAKANA = /[\u30A1-\u30F6\u30FD\u30FE]/g;
const KANA_DISTANCE = 0x60;

/** Without marks and capitals, and with one kind of apostrophe. */
export function fold(text: string): string {
  return nameKey(nameKey(text).normalize('NFKD').replace(MARKED, '$1'))
    .replace(WITHOUT_PARTS, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .replace(APOSTROPHES, "'");
}

/** What folding makes of some characters, such as `(1)` of ⑴, has more than letters and digits. */
const NOT_OF_WORDS = /[\0-/:-@[-^`{-\x7F]/g;

/** Forms of words that were folded lately: texts say the same words again and again. */
const known = new Map<string, string>();
const KNOWN_MAX = 4096;
const KNOWN_LENGTH_MAX = 32;

/** The form of one word of a text: folded, without apostrophes, and with hiragana for katakana. */
export function foldWord(word: string): string {
  const before = known.get(word);
  if (before !== undefined) return before;
  const form = fold(word)
    .replace(NOT_OF_WORDS, '')
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - KANA_DISTANCE));
  if (word.length > KNOWN_LENGTH_MAX) return form;
  if (known.size === KNOWN_MAX) known.clear();
  known.set(word, form);
  return form;
}
