/** What was typed into a search, read as docs/PROTOCOL.md ("Search") has it, without a line of the search itself. */
import { type NaiveWord, naiveWords } from './naive-words.ts';

export interface NaiveTerm {
  /** They follow each other. */
  words: readonly NaiveWord[];
  isExact: boolean;
  isExcluded: boolean;
}

export interface NaiveFilter {
  name: string;
  value: string;
  isExcluded: boolean;
}

export interface NaiveQuery {
  terms: NaiveTerm[];
  filters: NaiveFilter[];
}

const ANY = ['from', 'in', 'with', 'before', 'after', 'on'];
const HAS = ['file', 'picture', 'video', 'sound', 'link', 'reaction'];
const IS = ['thread', 'pinned', 'saved', 'edited'];

export function readNaively(typed: string): NaiveQuery {
  const query: NaiveQuery = { terms: [], filters: [] };
  for (let rest = typed.trimStart(); rest !== ''; rest = rest.trimStart()) {
    const isExcluded = rest.startsWith('-');
    const item = isExcluded ? rest.slice(1) : rest;
    const [, name = '', behind = item] = /^([a-z]+):(?=\S)(.*)$/s.exec(item) ?? [];
    const isNamed = [...ANY, 'has', 'is'].includes(name);
    const from = isNamed ? behind : item;
    const isQuoted = from.startsWith('"');
    const value = isQuoted
      ? (from.slice(1).split('"', 1)[0] ?? '')
      : (/^\S*?(?=\s|"|$)/.exec(from)?.[0] ?? '');
    rest = from.slice(isQuoted ? value.length + 2 : value.length);
    if (isNamed && isKnown(name, value)) query.filters.push({ name, value, isExcluded });
    else {
      const words = naiveWords(isNamed ? `${name} ${value}` : value).filter(({ isPart }) => !isPart);
      if (words.length > 0) query.terms.push({ words, isExact: isQuoted, isExcluded });
    }
  }
  return query;
}

function isKnown(name: string, value: string): boolean {
  if (value === '') return false;
  if (name === 'has') return HAS.includes(value);
  return name === 'is' ? IS.includes(value) : ANY.includes(name);
}
