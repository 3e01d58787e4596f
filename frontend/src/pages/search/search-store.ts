/** What the user looks for, and what was found: it stays while the search is closed, until the user signs out. */
import { create } from 'zustand';
import { searchApi } from '../../../../client/index.ts';
import { findTerms } from '../../../../protocol/search/match.ts';
import { parseQuery } from '../../../../protocol/search/query.ts';
import { chat } from '../../stores/chat.ts';
import { SearchSession } from './search-session.ts';
import { NOTHING, type SearchState } from './search-state.ts';

interface SearchFieldStore {
  /** Whose search it is. */
  readonly userId: number;
  /** What the field has. */
  readonly text: string;
  readonly state: SearchState;
  /** The id of the hit that Tab leads to; null: the first. */
  readonly stopId: number | null;
}

export const useSearchField = create<SearchFieldStore>(() => ({
  userId: 0,
  text: '',
  state: NOTHING,
  stopId: null,
}));

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const session = new SearchSession({
  ask: (query, options) => searchApi(chat().api.requests).search(query, { ...options, timeZone }),
  askDevice: async () => null,
  again: (query, message) => {
    const [hits = []] = findTerms([message.content], parseQuery(query).terms, () => []) ?? [];
    return { message, hits: hits.map(([from, to]) => [from, to]) };
  },
  onChange: (state) => {
    const isNew = state.turn !== useSearchField.getState().state.turn;
    useSearchField.setState({ state, ...(isNew && { stopId: null }) });
  },
});

/** The text of the field has changed. */
export function setText(text: string): void {
  useSearchField.setState({ text });
  session.type(queryOf(text));
}

/** Looks for what the field has, now. */
export function submit(): void {
  session.submit(queryOf(useSearchField.getState().text));
}

/** Nothing of an earlier user is left. */
export function takeSearch(userId: number): void {
  if (useSearchField.getState().userId === userId) return;
  session.clear();
  useSearchField.setState({ userId, text: '' });
}

function queryOf(text: string): string {
  return text.trim();
}
