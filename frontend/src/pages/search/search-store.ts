/** What the user looks for, and what was found: it stays while the search is closed, until the user signs out. */
import { create } from 'zustand';
import { ApiError, searchApi } from '../../../../client/index.ts';
import type { SearchPage } from '../../../../protocol/rest/search.ts';
import { findTerms } from '../../../../protocol/search/match.ts';
import { type Filter, parseQuery, unfinishedFilter, writeFilter } from '../../../../protocol/search/query.ts';
import { chat } from '../../stores/chat.ts';
import { queryOf, withoutFilters } from './field-text.ts';
import { askDevice } from './on-device.ts';
import { readRecent, rememberSearch } from './recent.ts';
import { type Asking, SearchSession } from './search-session.ts';
import { NOTHING, type SearchState } from './search-state.ts';

interface SearchFieldStore {
  /** The user who searches. */
  readonly userId: number;
  /** Those that are complete: chips of the field. */
  readonly filters: readonly Filter[];
  /** What the field has behind them. */
  readonly text: string;
  readonly state: SearchState;
  /** The id of the hit that Tab leads to; null: the first. */
  readonly stopId: number | null;
}

const EMPTY = { filters: [], text: '' } as const;

export const useSearchField = create<SearchFieldStore>(() => ({
  ...EMPTY,
  userId: 0,
  state: NOTHING,
  stopId: null,
}));

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A page of what the server finds. Rejects at once where the browser knows that it is offline. */
export async function askServer(query: string, { order, beyondId, limit }: Asking): Promise<SearchPage> {
  if (!navigator.onLine) throw new ApiError(0, 'offline');
  const beyond = beyondId !== undefined && { [order === 'newest' ? 'beforeId' : 'afterId']: beyondId };
  const asking = { order, timeZone, ...beyond, ...(limit !== undefined && { limit }) };
  return await searchApi(chat().api.requests).search(query, asking);
}

export const session = new SearchSession({
  ask: askServer,
  askDevice: (query, order) => askDevice(query, { order, timeZone }),
  again: (query, message) => {
    const [hits = []] = findTerms([message.content], parseQuery(query).terms, () => []) ?? [];
    return { message, hits: hits.map(([from, to]) => [from, to]) };
  },
  onChange: (state) => {
    const isNew = state.turn !== useSearchField.getState().state.turn;
    useSearchField.setState({ state, ...(isNew && { stopId: null }) });
  },
});

/** The text of the field has changed. Filters that are complete become chips, unless a word is being composed. */
export function setText(typed: string, isComposing = false): void {
  const { filters, text } = isComposing ? { filters: [], text: typed } : withoutFilters(typed, false);
  change([...useSearchField.getState().filters, ...filters], text);
}

/** Puts a query into the field, in place of what it has, and looks for it. */
export function setQuery(query: string): void {
  const { filters, text } = withoutFilters(query, true);
  change(filters, text);
  session.submit(currentQuery());
}

/** Looks for what the field has, now. */
export function submit(): void {
  const { filters, text } = useSearchField.getState();
  const typed = withoutFilters(text, true);
  if (typed.filters.length > 0) change([...filters, ...typed.filters], typed.text);
  session.submit(currentQuery());
  rememberSearch(currentQuery());
}

/** The filter that is being typed has this value. */
export function takeFilter(filter: Filter): void {
  const { filters, text } = useSearchField.getState();
  const from = unfinishedFilter(text)?.from ?? text.length;
  change([...filters, filter], text.slice(0, from));
  session.submit(currentQuery());
}

export function dropFilter(filter: Filter): void {
  const { filters, text } = useSearchField.getState();
  change(
    filters.filter((one) => one !== filter),
    text,
  );
  session.submit(currentQuery());
}

/** Nothing of an earlier user is left. */
export function takeSearch(userId: number): void {
  if (useSearchField.getState().userId === userId) return;
  session.clear();
  useSearchField.setState({ ...EMPTY, userId });
  readRecent(userId);
}

/** What is looked for. */
export function currentQuery(): string {
  return queryOf(useSearchField.getState());
}

function change(all: readonly Filter[], text: string): void {
  const filters = all.filter(
    (one, index) => all.findIndex((other) => writeFilter(other) === writeFilter(one)) === index,
  );
  useSearchField.setState({ filters, text });
  session.type(currentQuery());
}
