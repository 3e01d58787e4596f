import { useEffect, useRef } from 'react';
import type { SearchOrder } from '../../../../protocol/rest/search.ts';
import { nameKey } from '../../../../protocol/text.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import { shortDay } from '../../i18n/time.ts';
import { useRooms } from '../../stores/rooms.ts';
import { navigate, panelPath, useRoute } from '../../stores/route.ts';
import { Button } from '../../ui/Button.tsx';
import { FileIcon } from '../../ui/file-icons.tsx';
import { inThisTab } from '../../ui/in-this-tab.ts';
import { RowSelect } from '../../ui/RowSelect.tsx';
import { HitRow } from './HitRow.tsx';
import styles from './Search.module.css';
import { SearchFailed } from './SearchFailed.tsx';
import { SearchNothing } from './SearchNothing.tsx';
import { SearchStart } from './SearchStart.tsx';
import type { Result, SearchState } from './search-state.ts';
import { session, useSearchField } from './search-store.ts';

interface SearchResultsProps {
  /** The timeline stands beside it, and may show one of them. */
  readonly isBeside: boolean;
  readonly onOpen: (result: Result) => void;
  /** A filter was begun: the field goes on with it. */
  readonly onBegin: () => void;
}

/** What was found, or what there is to do. */
export function SearchResults({ isBeside, onOpen, onBegin }: SearchResultsProps) {
  const { search: texts } = useScreenTexts();
  const { state, stopId } = useSearchField();
  const shownPath = useRoute(({ route }) =>
    route.page === 'room' && route.target?.kind === 'message' ? `${route.roomId} ${route.target.id}` : '',
  );
  const { status, results, next } = state;
  const isAsking = status === 'asking';
  if (status === 'idle') return <SearchStart onBegin={onBegin} />;
  if (status === 'failed') return <SearchFailed state={state} />;
  if (status === 'ready' && results.length === 0 && next === null) return <SearchNothing state={state} />;
  const stop = results.some(({ message }) => message.id === stopId) ? stopId : results[0]?.message.id;
  return (
    <>
      <div className={styles.summary} data-late={isAsking && results.length === 0}>
        <p className={styles.count}>
          {isAsking && results.length === 0 ? texts.searching : texts.count(results.length, next !== null)}
        </p>
        <Order order={state.order} />
      </div>
      <Notes state={state} />
      <AllFiles />
      <ul className={styles.list} aria-label={texts.results} aria-busy={isAsking} data-late={isAsking}>
        {results.map((result) => {
          const { id, room_id: roomId, thread_id: threadId } = result.message;
          return (
            <HitRow
              key={id}
              result={result}
              isStop={id === stop}
              isShown={isBeside && shownPath === `${roomId} ${threadId ?? id}`}
              onOpen={onOpen}
            />
          );
        })}
      </ul>
      {!isAsking && next !== null && <Further state={state} />}
    </>
  );
}

function Order({ order }: { readonly order: SearchOrder }) {
  const { search: texts } = useScreenTexts();
  return (
    <RowSelect
      aria-label={texts.order}
      value={order}
      onChange={({ target }) => session.sort(target.value === 'oldest' ? 'oldest' : 'newest')}
    >
      <option value="newest">{texts.newestFirst}</option>
      <option value="oldest">{texts.oldestFirst}</option>
    </RowSelect>
  );
}

const FILES: readonly string[] = ['file', 'picture', 'video', 'sound'];

/** Where files of one room are looked for: the way to all that it has. */
function AllFiles() {
  const { search: texts } = useScreenTexts();
  const filters = useSearchField((store) => store.filters);
  const isOfFiles = filters.some(({ name, value, isExcluded }) => {
    return name === 'has' && !isExcluded && FILES.includes(value.toLowerCase());
  });
  const place = filters.filter(({ name, isExcluded }) => name === 'in' && !isExcluded);
  const key = isOfFiles && place.length === 1 ? nameKey((place[0]?.value ?? '').replace(/^#/, '')) : null;
  const room = useRooms(({ rooms }) =>
    key === null ? undefined : rooms.find(({ name }) => nameKey(name) === key),
  );
  if (room === undefined) return null;
  const path = panelPath(room.id, 'files');
  return (
    <a className={styles.allFiles} href={path} onClick={inThisTab(() => navigate(path))}>
      <FileIcon size={18} />
      {texts.allFiles(room.name)}
    </a>
  );
}

/** What the list does not say: where it comes from, and what it lacks. */
function Notes({
  state: { status, failure, source, deviceRooms, indexedFrom },
}: {
  readonly state: SearchState;
}) {
  const text = useText();
  const { search: texts } = useScreenTexts();
  const notes = [
    failure === 'busy' && texts.busy,
    status === 'ready' && source === 'device' && texts.onDevice(deviceRooms),
    status === 'ready' &&
      indexedFrom !== null &&
      texts.indexing(shortDay(text, Date.parse(indexedFrom), Date.now())),
  ].filter((note) => note !== false);
  return notes.map((note) => (
    <p key={note} className={styles.notice} role="note">
      {note}
    </p>
  ));
}

/** Loads the next page as its place comes in sight, or lets the user ask for it. */
function Further({ state }: { readonly state: SearchState }) {
  const { search: texts } = useScreenTexts();
  const { order, next, isComplete, isAskingMore, failure } = state;
  const place = useRef<HTMLDivElement>(null);
  const isByItself = isComplete && failure === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: each page has a place of its own.
  useEffect(() => {
    const element = place.current;
    if (element === null || !isByItself) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) session.more();
      },
      { root: element.closest('[data-scroller]'), rootMargin: '0px 0px 600px 0px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [next, isByItself]);

  return (
    <div ref={place} className={styles.further}>
      {!isComplete && failure === null && <p className={styles.note}>{texts.furtherHint[order]}</p>}
      {failure !== null && failure !== 'busy' && <p className={styles.note}>{texts.moreFailed}</p>}
      <Button aria-disabled={isAskingMore} onClick={() => session.more()}>
        {isAskingMore ? texts.searching : (isComplete ? texts.more : texts.further)[order]}
      </Button>
    </div>
  );
}
