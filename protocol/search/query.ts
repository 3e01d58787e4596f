/**
 * The language of searches. A word finds words that begin or end with it, or have its stem; `"…"` finds exactly that;
 * `-` leaves out; `from:`, `in:` and others choose. Whatever is typed is a query: what is no filter is looked for.
 */
import { type Word, wordsOf } from './words.ts';

/** A word that is looked for. `isLoose`: words that begin or end with it, or have its stem, are found, too. */
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

/** A filter or a term, and where it stands in what was typed: from `from` up to `to`, which is not included. */
export type Item = { from: number; to: number } & ({ filter: Filter } | { term: Term });

/** Reads what was typed. The bounds are the caller's to hold. */
export function parseQuery(typed: string): Query {
  const items = itemsOf(typed);
  return {
    terms: items.flatMap((item) => ('term' in item ? [item.term] : [])),
    filters: items.flatMap((item) => ('filter' in item ? [item.filter] : [])),
  };
}

/** What the query has, in its order. */
export function itemsOf(typed: string): Item[] {
  const items: Item[] = [];
  for (const { 0: item, index: from, groups = {} } of typed.matchAll(ITEM)) {
    const isExcluded = groups.minus !== undefined;
    const name = filterName(groups.name);
    const value = (groups.quoted ?? groups.plain ?? '').trim();
    const to = from + item.length;
    if (name !== undefined && isFilterValue(name, value))
      items.push({ from, to, filter: { name, value, isExcluded } });
    else {
      const isExact = groups.quoted !== undefined && groups.name === undefined;
      const words = soughtOf(isExact ? value : item, isExact);
      if (words !== undefined) items.push({ from, to, term: { words, isExcluded } });
    }
  }
  return items;
}

/** The filter that somebody is typing at the end; its value may be empty, or none that there is. */
const UNFINISHED =
  /(?<=^|\s)(?<minus>[-\u2212\uFF0D])?(?<name>[A-Za-z]{2,6})[:\uFF1A](?:["“”„«»「」＂](?<quoted>[^"“”„«»「」＂]*)|(?<plain>[^\s"“”„«»「」＂]*))$/u;

/** A filter whose value is not complete. `from`: where it begins. */
export type Unfinished = Filter & { from: number };

/** The filter at the end of what was typed, which somebody may still be typing. Null: there is none. */
export function unfinishedFilter(typed: string): Unfinished | null {
  const { index: from = 0, groups } = UNFINISHED.exec(typed) ?? {};
  const name = filterName(groups?.name);
  if (name === undefined) return null;
  const value = (groups?.quoted ?? groups?.plain ?? '').trimStart();
  return { name, value, isExcluded: groups?.minus !== undefined, from };
}

/** The filter as one types it. */
export function writeFilter({ name, value, isExcluded }: Filter): string {
  const written = /\s/u.test(value) ? `"${value}"` : value;
  return `${isExcluded ? '-' : ''}${name}:${written}`;
}

function filterName(written: string | undefined): FilterName | undefined {
  const name = written?.toLowerCase();
  return name !== undefined && Object.hasOwn(FILTERS, name) ? (name as FilterName) : undefined;
}

/** Whether a filter can have this value. */
export function isFilterValue(name: FilterName, value: string): boolean {
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
