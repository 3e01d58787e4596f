/** By which beginnings a person is found. */
import { nameKey } from '../../../protocol/text.ts';

/** Of one name; a longer name is found by its first words. */
const STARTS_MAX = 12;
/** Characters of a key: one character of a name may become eighteen, as the Arabic ligature U+FDFA does. */
const KEY_MAX = 64;

/** Where a word begins: a letter or digit after something else, and each character of a script without spaces. */
const WORD_STARTS =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}](?<!\p{M})/gu;

/** The keys of the name from its start and from each of its words on: `ann lee` and `lee` for `Ann Lee`. */
export function searchKeys(name: string): string[] {
  const key = nameKey(name);
  if (key === '') return [];
  const starts = [...key.matchAll(WORD_STARTS)].slice(0, STARTS_MAX).map(({ index }) => index);
  return [...new Set([0, ...starts].map((start) => cut(key.slice(start))))];
}

/** How a word begins, as a key: what a search looks for. */
export function searchStart(typed: string): string {
  return cut(nameKey(typed.trim()));
}

function cut(key: string): string {
  return [...key].slice(0, KEY_MAX).join('');
}
