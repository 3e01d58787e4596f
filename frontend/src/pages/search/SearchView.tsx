import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { takeTyped, useSearch } from '../../stores/search.ts';
import { isTouch } from '../../stores/use-media.ts';
import scroller from '../../ui/Scroller.module.css';
import { rememberSearch } from './recent.ts';
import styles from './Search.module.css';
import { SearchField } from './SearchField.tsx';
import { SearchResults } from './SearchResults.tsx';
import { SearchStatus } from './SearchStatus.tsx';
import type { Result } from './search-state.ts';
import { session, setQuery, takeSearch, useSearchField } from './search-store.ts';
import { syncSearch } from './sync-search.ts';

interface SearchViewProps {
  /** Buttons beside the field: before it, and behind it. */
  readonly before?: ReactNode;
  readonly behind?: ReactNode;
  /** The timeline stands beside it. */
  readonly isBeside: boolean;
  readonly onOpen: (result: Result) => void;
  /** An arrow key has led to this hit. */
  readonly onWalk?: (result: Result) => void;
  /** Escape. */
  readonly onLeave: () => void;
}

/** The search for messages: its field, and what was found. Arrow keys walk from the field through the hits. */
export function SearchView({ before, behind, isBeside, onOpen, onWalk, onLeave }: SearchViewProps) {
  const { search: texts } = useScreenTexts();
  const box = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const paper = useRef<HTMLDivElement>(null);
  useEffect(syncSearch, []);
  useOpening(input);
  useKeptScroll(paper);

  /** Gives the focus to another hit. */
  function walk(key: WalkKey, from: Element): void {
    const hits = [...(box.current?.querySelectorAll<HTMLElement>(STOPS) ?? [])];
    const at = hits.findIndex((hit) => hit.contains(from));
    if (at === 0 && key === 'ArrowUp') return input.current?.focus();
    if (at === hits.length - 1 && key !== 'ArrowUp') session.more();
    const { stopId, state } = useSearchField.getState();
    const last = hits.find((hit) => Number(hit.dataset.hit) === stopId);
    const to = at < 0 ? (last ?? hits[0]) : hits.at(placeAfter(key, at, hits.length));
    if (to === undefined) return;
    to.focus();
    to.scrollIntoView({ block: 'nearest' });
    if (to.dataset.hit === undefined) return;
    const id = Number(to.dataset.hit);
    useSearchField.setState({ stopId: id });
    const result = state.results.find(({ message }) => message.id === id);
    rememberSearch(state.query);
    if (result !== undefined) onWalk?.(result);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (!(target instanceof Element)) return;
    const isHit = target.closest(STOPS) !== null;
    if (key === 'Escape') onLeave();
    else if (isHit ? isWalkKey(key) : target === input.current && key === 'ArrowDown')
      walk(key as WalkKey, target);
    else {
      // What is typed on a hit is meant for the field.
      if (isHit && key !== ' ' && [...key].length === 1) input.current?.focus();
      return;
    }
    event.preventDefault();
  }

  return (
    <search ref={box} className={styles.view} aria-label={texts.title} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        {before}
        <SearchField ref={input} />
        {behind}
      </div>
      <SearchStatus />
      <div ref={paper} className={`${scroller.scroller} ${styles.paper}`} data-scroller="">
        <SearchResults
          isBeside={isBeside}
          onBegin={() => input.current?.focus()}
          onOpen={(result) => {
            useSearchField.setState({ stopId: result.message.id });
            rememberSearch(session.state.query);
            onOpen(result);
          }}
        />
      </div>
    </search>
  );
}

/** What arrow keys lead to from the field. */
const STOPS = '[data-hit], [data-stop]';

const WALK_KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End'] as const;
type WalkKey = (typeof WALK_KEYS)[number];

function isWalkKey(key: string): key is WalkKey {
  return WALK_KEYS.some((one) => one === key);
}

function placeAfter(key: WalkKey, at: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, count - 1);
    case 'ArrowUp':
      return at - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
  }
}

/** Each time the search is asked for, its field takes what it was asked for with, and the focus. */
function useOpening(input: { readonly current: HTMLInputElement | null }): void {
  const count = useSearch((store) => store.count);
  // Before it is painted: what is typed at once belongs to the field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same is asked for again.
  useLayoutEffect(() => {
    const me = chat().user;
    if (me !== null) takeSearch(me.id);
    const typed = takeTyped();
    if (typed !== null) setQuery(typed);
    // On the way back from a hit, a phone's keyboard would stand over the others.
    else if (isTouch() && useSearchField.getState().state.results.length > 0) return;
    input.current?.focus();
    if (typed === null) input.current?.select();
  }, [count, input]);
}

/** Where the list was when the search was left. */
let left = { turn: 0, top: 0 };

/** Back from a hit, the list is where it was. */
function useKeptScroll(paper: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const { current: box } = paper;
    if (box === null) return;
    if (left.turn === session.state.turn) box.scrollTop = left.top;
    return () => {
      left = { turn: session.state.turn, top: box.scrollTop };
    };
  }, [paper]);
}
