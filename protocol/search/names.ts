/**
 * How people and rooms are found by what somebody types: without accents, capitals and punctuation. Server and client
 * share it. It is for searches alone: names are told apart by `nameKey`, for which `jurgen` is not `Jürgen`.
 */
import { nameKey } from '../text.ts';
import { fold } from './fold.ts';

/** What separates words in one name and not in another. */
const SEPARATORS = /[\p{White_Space}\p{Pd}\p{Pc}.·]+/gu;

/** Where a word begins: a letter or digit after something else, and each character of a script without spaces. */
const WORD_STARTS =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}](?<!\p{M})/gu;

/** The most starts that are kept of one name. A longer name is found by its first words. */
const STARTS_MAX = 12;
/** Characters of a key: one character of a name may become eighteen, as the Arabic ligature U+FDFA does. */
const KEY_MAX = 64;

/**
 * The form in which names and what is typed are compared: `jurgen muller` for `Jürgen-Müller`, `obrien` for `O’Brien`.
 * A text of punctuation alone keeps it.
 */
export function searchForm(text: string): string {
  const form = withoutApostrophes(plain(text));
  return form === '' ? nameKey(text.trim()) : form;
}

/** The forms of the name from its start and from each of its words on: `ann lee` and `lee` for `Ann Lee`. */
export function searchKeys(name: string): string[] {
  const whole = searchForm(name);
  if (whole === '') return [];
  // An apostrophe begins a word, too: `d'Arcy` is found by `arcy`, and by `darcy`.
  const text = plain(name);
  const starts = [...text.matchAll(WORD_STARTS)].slice(0, STARTS_MAX).map(({ index }) => index);
  const words = starts.map((start) => withoutApostrophes(text.slice(start)));
  return [...new Set([whole, ...words].map(cut))];
}

/** What a search looks for, at the start of a key or within a name's form: `@zoe` and `#zoe` are `zoe`. */
export function searchStart(typed: string): string {
  const form = searchForm(typed);
  const word = form.replace(/^[@#]+(?=[\p{L}\p{N}])/u, '');
  return cut(word);
}

/** Whether a word of the name begins with what is typed, as the server finds people. */
export function isFoundBy(name: string, typed: string): boolean {
  const start = searchStart(typed);
  return searchKeys(name).some((key) => key.startsWith(start));
}

/** Folded, with single spaces between words. */
function plain(text: string): string {
  return fold(text).replace(SEPARATORS, ' ').trim();
}

function withoutApostrophes(text: string): string {
  return text.replaceAll("'", '').replace(/ {2,}/g, ' ').trim();
}

function cut(key: string): string {
  return [...key].slice(0, KEY_MAX).join('');
}
