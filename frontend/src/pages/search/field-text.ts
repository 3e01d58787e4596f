/** What the field of the search has: filters that are complete, as chips, and a text behind them. */
import { type Filter, itemsOf, unfinishedFilter, writeFilter } from '../../../../protocol/search/query.ts';

export interface FieldText {
  readonly filters: readonly Filter[];
  readonly text: string;
}

/** Takes filters out of a text. `atEnd`: also one at its end, which somebody may still be typing. */
export function withoutFilters(typed: string, atEnd: boolean): FieldText {
  const isTyping = !atEnd && unfinishedFilter(typed) !== null;
  const filters: Filter[] = [];
  let text = '';
  let at = 0;
  for (const item of itemsOf(typed)) {
    if (!('filter' in item) || (isTyping && item.to === typed.length)) continue;
    filters.push(item.filter);
    text += typed.slice(at, item.from);
    at = item.to;
    // The space behind it goes with it.
    if (/\s/.test(typed.charAt(at))) at += 1;
  }
  return { filters, text: text + typed.slice(at) };
}

/** What is looked for. A filter that is still being typed is left out: its value may name nobody yet. */
export function queryOf({ filters, text }: FieldText): string {
  const words = text.slice(0, unfinishedFilter(text)?.from).trim();
  return [...filters.map(writeFilter), ...(words === '' ? [] : [words])].join(' ');
}
