import { SEARCH_TERMS_MAX } from '../../../../protocol/limits.ts';
import { itemsOf } from '../../../../protocol/search/query.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { SearchTexts } from '../../i18n/search-en.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { isDayValue } from './options.ts';
import type { SearchState } from './search-state.ts';
import { session } from './search-store.ts';

/** The question has no answer: why, and what can be done. */
export function SearchFailed({ state: { query, failure } }: { readonly state: SearchState }) {
  const { search: texts } = useScreenTexts();
  if (failure === 'invalid') return <Empty title={texts.failed} hint={whyInvalid(texts.invalid, query)} />;
  return (
    <Empty title={texts.failed} {...(failure === 'unreachable' && { hint: texts.unreachable })}>
      <Button onClick={() => session.ask(query)}>{texts.again}</Button>
    </Empty>
  );
}

const DAYS = ['before', 'after', 'on'];

/** What the server does not take of a query. */
function whyInvalid(texts: SearchTexts['search']['invalid'], query: string): string {
  const items = itemsOf(query);
  if (items.length === 0) return texts.nothing;
  if (items.length > SEARCH_TERMS_MAX) return texts.tooMuch;
  for (const item of items) {
    if (!('filter' in item) || !DAYS.includes(item.filter.name)) continue;
    const { value } = item.filter;
    if (!isDayValue(value) && !/^(?:today|yesterday)$/i.test(value)) return texts.day(value);
  }
  return texts.other;
}
