import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useScreenTexts } from '../../i18n/screens.ts';
import { chat } from '../../stores/chat.ts';
import { useSearch } from '../../stores/search.ts';
import { isTouch } from '../../stores/use-media.ts';
import scroller from '../../ui/Scroller.module.css';
import styles from './Search.module.css';
import { SearchField } from './SearchField.tsx';
import { SearchResults } from './SearchResults.tsx';
import { SearchStatus } from './SearchStatus.tsx';
import type { Result } from './search-state.ts';
import { session, setText, submit, takeSearch, useSearchField } from './search-store.ts';
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
  const [stopId, setStopId] = useState<number | null>(null);
  useEffect(syncSearch, []);
  useOpening(input);

  function walk(step: -1 | 1, from: Element): void {
    const hits = [...(box.current?.querySelectorAll<HTMLElement>('[data-hit]') ?? [])];
    const at = hits.findIndex((hit) => hit.contains(from));
    if (at === 0 && step === -1) return input.current?.focus();
    const isInField = from === input.current;
    const to = isInField
      ? (hits.find((hit) => Number(hit.dataset.hit) === stopId) ?? hits[0])
      : hits[at + step];
    if (at >= 0 && to === undefined && step === 1) session.more();
    if (to === undefined) return;
    to.focus();
    to.scrollIntoView({ block: 'nearest' });
    const id = Number(to.dataset.hit);
    setStopId(id);
    const { results } = useSearchField.getState().state;
    const result = results.find(({ message }) => message.id === id);
    if (result !== undefined) onWalk?.(result);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.nativeEvent.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target, key } = event;
    if (!(target instanceof Element)) return;
    const isWalker = target === input.current || target.closest('[data-hit]') !== null;
    if (key === 'Escape') onLeave();
    else if (isWalker && key === 'ArrowDown') walk(1, target);
    else if (isWalker && target !== input.current && key === 'ArrowUp') walk(-1, target);
    else {
      // What is typed on a hit is meant for the field.
      if (target.closest('[data-hit]') !== null && key !== ' ' && [...key].length === 1)
        input.current?.focus();
      return;
    }
    event.preventDefault();
  }

  return (
    <search ref={box} className={styles.view} aria-label={texts.title} onKeyDown={onKeyDown}>
      <div className={styles.head} data-region="search">
        {before}
        <SearchField ref={input} />
        {behind}
      </div>
      <SearchStatus />
      <div className={`${scroller.scroller} ${styles.paper}`} data-scroller="">
        <SearchResults
          stopId={stopId}
          isBeside={isBeside}
          onOpen={(result) => {
            setStopId(result.message.id);
            onOpen(result);
          }}
        />
      </div>
    </search>
  );
}

/** Each time the search is asked for, its field takes what it was asked for with, and the focus. */
function useOpening(input: { readonly current: HTMLInputElement | null }): void {
  const { count, typed } = useSearch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same is asked for again.
  useEffect(() => {
    const me = chat().user;
    if (me !== null) takeSearch(me.id);
    if (typed !== null) {
      setText(typed);
      if (typed.trim() !== '') submit();
    }
    // On the way back from a hit, a phone's keyboard would stand over the others.
    if (isTouch() && useSearchField.getState().state.results.length > 0) return;
    input.current?.focus();
    if (typed === null) input.current?.select();
  }, [count, typed, input]);
}
