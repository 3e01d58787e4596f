/** The query without one of its parts: which of them is too much, where nothing is found? */
import { type Filter, itemsOf } from '../../../../protocol/search/query.ts';

export interface Variant {
  /** The query without it. */
  readonly query: string;
  /** What is left out. `all rooms`: that only one's own rooms are looked in. */
  readonly without: Filter | { readonly words: string } | 'own rooms';
}

/** The server allows few searches a second. */
const MOST = 7;

/** The filters first, as one that is wrong finds nothing at all; then the words, if there are several. */
export function variantsOf(query: string): readonly Variant[] {
  const items = itemsOf(query);
  const rest = (from: number, to: number) =>
    `${query.slice(0, from)} ${query.slice(to)}`.replace(/\s+/g, ' ').trim();
  const filters = items.flatMap((item): Variant[] =>
    'filter' in item ? [{ query: rest(item.from, item.to), without: item.filter }] : [],
  );
  const isInPlaces = filters.some(({ without }) => {
    return (
      typeof without === 'object' && 'name' in without && (without.name === 'in' || without.name === 'with')
    );
  });
  const everywhere: Variant[] = isInPlaces ? [] : [{ query: `${query} in:all`.trim(), without: 'own rooms' }];
  const terms = items.flatMap((item): Variant[] =>
    'term' in item && !item.term.isExcluded
      ? [{ query: rest(item.from, item.to), without: { words: query.slice(item.from, item.to) } }]
      : [],
  );
  const words = terms.length > 1 ? terms : [];
  return [...filters, ...everywhere, ...words].filter((variant) => variant.query !== '').slice(0, MOST);
}
