/**
 * The language of searches. A word finds words that begin or end with it, or have its stem; `"…"` finds exactly that;
 * `-` leaves out; `from:`, `in:` and others choose. Whatever is typed is a query: what is no filter is looked for.
 */
import { type Word, wordsOf } from './words.ts';

/** A word that is looked for. `loose`: words that begin or end with it, or have its stem, are found, too. */
export interface Sought {
  key: string;
  kind: Word['kind'];
  isLoose: boolean;
}

/** Words that follow each other. `PLT-3699` and Chinese are several, too. */
export interface Term {
  words: readonly [Sought, ...Sought[]];
  isExcluded: boolean;
}

/** Each with the values that the server knows; null: any text. */
export const FILTERS = {
  from: null,
  in: null,
  with: null,
  before: null,
  after: null,
  on: null,
  has: ['file', 'picture', 'video', 'sound', 'link', 'reaction'],
  is: ['thread', 'pinned', 'saved', 'edited'],
} as const;

export type FilterName = keyof typeof FILTERS;

export interface Filter {
  name: FilterName;
  value: string;
  isExcluded: boolean;
}

export interface Query {
  terms: Term[];
  filters: Filter[];
}

/** Keyboards for Chinese have a wide colon and minus, and text programs make other quotation marks. */
const ITEM =
  /(?<minus>[-\u2212\uFF0D])?(?:(?<name>[A-Za-z]{2,6})[:\uFF1A](?=\S))?(?:["“”„«»「」＂](?<quoted>[^"“”„«»「」＂]*)(?:["“”„«»「」＂]|$)|(?<plain>[^\s"“”„«»「」＂]+))/gu;

/** Reads what was typed. The bounds are the caller's to hold. */
export function parseQuery(typed: string): Query {
  const query: Query = { terms: [], filters: [] };
  for (const { 0: item, groups = {} } of typed.matchAll(ITEM)) {
    const isExcluded = groups.minus !== undefined;
    const name = filterName(groups.name);
    const value = (groups.quoted ?? groups.plain ?? '').trim();
    if (name !== undefined && isValue(name, value)) query.filters.push({ name, value, isExcluded });
    else {
      const isExact = groups.quoted !== undefined && groups.name === undefined;
      const words = soughtOf(isExact ? value : item, isExact);
      if (words !== undefined) query.terms.push({ words, isExcluded });
    }
  }
  return query;
}

function filterName(written: string | undefined): FilterName | undefined {
  const name = written?.toLowerCase();
  return name !== undefined && Object.hasOwn(FILTERS, name) ? (name as FilterName) : undefined;
}

function isValue(name: FilterName, value: string): boolean {
  const known: readonly string[] | null = FILTERS[name];
  return value !== '' && (known === null || known.includes(value.toLowerCase()));
}

/** The words of a term. Only the last one may be unfinished: `PLT-36` finds `PLT-3699`. Undefined: there is no word. */
function soughtOf(text: string, isExact: boolean): readonly [Sought, ...Sought[]] | undefined {
  // A word with parts stands for them: `user_id` is one word.
  const words: Word[] = [];
  for (const word of wordsOf(text)) if (word.at >= (words.at(-1)?.next ?? 0)) words.push(word);
  const [first, ...rest] = words.map(({ key, kind }, index) => ({
    ...{ key, kind },
    isLoose: !isExact && kind === 'word' && index === words.length - 1,
  }));
  return first && [first, ...rest];
}
