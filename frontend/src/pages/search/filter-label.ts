/** What a chip says. */
import type { Filter } from '../../../../protocol/search/query.ts';
import type { Catalogue } from '../../i18n/en.ts';
import type { SearchTexts } from '../../i18n/search-en.ts';
import { monthName, shortDay } from '../../i18n/time.ts';

type Texts = SearchTexts['search'];

/** "From Ann Lee", "Before 12 Nov". `nameOf`: how a person or a room is called. */
export function filterLabel(
  text: Catalogue,
  texts: Texts,
  { name, value, isExcluded }: Filter,
  nameOf: (value: string) => string,
): string {
  const label = texts.chips[name](shown(text, texts, { name, value }, nameOf));
  return isExcluded ? texts.not(label) : label;
}

function shown(
  text: Catalogue,
  texts: Texts,
  { name, value }: Pick<Filter, 'name' | 'value'>,
  nameOf: (value: string) => string,
): string {
  const known = value.toLowerCase();
  switch (name) {
    case 'has':
      return texts.has[known as keyof Texts['has']] ?? value;
    case 'is':
      return texts.is[known as keyof Texts['is']] ?? value;
    case 'from':
      return known === 'me' ? texts.me : nameOf(value);
    case 'in':
      return known === 'all' ? texts.everywhere.label : nameOf(value);
    case 'with':
      return nameOf(value);
    default:
      return dayLabel(text, texts, value);
  }
}

/** A day, a month or a year, as a person says it. */
export function dayLabel(text: Catalogue, texts: Texts, value: string): string {
  const known = value.toLowerCase();
  if (known === 'today' || known === 'yesterday') return texts[known];
  const [year = 0, month, day] = value.split('-').map(Number);
  if (month === undefined) return value;
  const date = new Date(year, month - 1, day ?? 1).getTime();
  if (Number.isNaN(date)) return value;
  return day === undefined ? monthName(text, date) : shortDay(text, date, Date.now());
}
