/** Whether the search for messages is open beside the page, and with what it was opened. */
import { create } from 'zustand';
import type { RoomInfo } from '../../../client/index.ts';
import { writeFilter } from '../../../protocol/search/query.ts';
import { navigate, roomPath, useRoute } from './route.ts';
import { ONE_PANE } from './use-media.ts';

interface SearchStore {
  /** It stands beside the page. In its place it is a page of its own, with an address. */
  readonly isOpen: boolean;
  /** How often it was asked for: each time its field takes the focus. */
  readonly count: number;
  /** What its field is to have; null: what it had. */
  readonly typed: string | null;
  /** The address of a panel or a thread that made way for it, and the one that took its place. */
  readonly covered: { readonly path: string; readonly by: string } | null;
}

export const useSearch = create<SearchStore>(() => ({ isOpen: false, count: 0, typed: null, covered: null }));

/** Opens the search for messages, or gives it the focus. `typed`: what it looks for. */
export function openSearch(typed: string | null = null): void {
  const { route } = useRoute.getState();
  const { isOpen, count } = useSearch.getState();
  const isPage = route.page === 'search' || (!isOpen && window.matchMedia(ONE_PANE).matches);
  const { pathname } = window.location;
  useSearch.setState({ isOpen: !isPage, count: count + 1, typed });
  if (isPage) return navigate('/search');
  // A panel or a thread would stand over it.
  const isCovered = route.page === 'room' && (route.panel !== null || route.target?.kind === 'thread');
  if (!isCovered) return;
  navigate(roomPath(route.roomId), 'replace');
  useSearch.setState({ covered: { path: pathname, by: window.location.pathname } });
}

/** Closes the panel beside the page. */
export function closeSearch(): void {
  useSearch.setState({ isOpen: false, typed: null, covered: null });
}

/** Shows the panel or the thread again that made way for the search. False: none has, or the user has gone elsewhere. */
export function uncover(covered: SearchStore['covered']): boolean {
  if (covered === null || window.location.pathname !== covered.by) return false;
  navigate(covered.path, 'replace');
  return true;
}

/** What the field is to have, once; null: what it had. */
export function takeTyped(): string | null {
  const { typed } = useSearch.getState();
  useSearch.setState({ typed: null });
  return typed;
}

/** The query that chooses a room; of a conversation, its people. */
export function inRoom({ kind, name, people = [] }: Pick<RoomInfo, 'kind' | 'name' | 'people'>): string {
  const filters =
    kind === 'dm'
      ? people.map(({ username }) => ({ name: 'with' as const, value: username }))
      : [{ name: 'in' as const, value: name }];
  return filters.map((filter) => writeFilter({ ...filter, isExcluded: false })).join(' ');
}
