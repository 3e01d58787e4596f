/** By which beginnings a person is found. */
import { nameKey } from '../../../protocol/text.ts';

/** Of one name; a longer name is found by its first words. */
const STARTS_MAX = 12;

/** Where a word begins: a letter or digit after something else, and each character of a script without spaces. */
const WORD_STARTS =
  /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}](?<!\p{M})/gu;

/** The keys of the name from its start and from each of its words on: `ann lee` and `lee` for `Ann Lee`. */
export function searchKeys(name: string): string[] {
  const key = nameKey(name);
  if (key === '') return [];
  const starts = [...key.matchAll(WORD_STARTS)].slice(0, STARTS_MAX).map(({ index }) => index);
  return [...new Set([0, ...starts])].map((start) => key.slice(start));
}
