import { useEffect, useState } from 'react';
import { itemsOf } from '../../../../protocol/search/query.ts';
import { useText } from '../../i18n/catalogue.ts';
import { useScreenTexts } from '../../i18n/screens.ts';
import type { SearchTexts } from '../../i18n/search-en.ts';
import { shortDay } from '../../i18n/time.ts';
import { useOwnRooms } from '../../stores/own-rooms.ts';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { useFilterLabel } from './FilterChip.tsx';
import styles from './Search.module.css';
import type { SearchState } from './search-state.ts';
import { askServer, setQuery } from './search-store.ts';
import { type Variant, variantsOf } from './variants.ts';

/** Nothing was found: what was looked at, and which part of the query is in the way. */
export function SearchNothing({ state }: { readonly state: SearchState }) {
  const text = useText();
  const { search: texts } = useScreenTexts();
  const rooms = useOwnRooms((store) => store.rooms.size);
  const { query, source, deviceRooms, indexedFrom } = state;
  const isNarrowed = itemsOf(query).some((item) => 'filter' in item);
  if (source === 'device') {
    return (
      <Empty
        title={texts.none}
        hint={deviceRooms === 0 ? texts.nothingOnDevice : texts.onDevice(deviceRooms)}
      />
    );
  }
  const looked =
    indexedFrom !== null
      ? texts.indexing(shortDay(text, Date.parse(indexedFrom), Date.now()))
      : isNarrowed
        ? texts.lookedNarrowed
        : texts.looked(rooms);
  return (
    <Empty title={texts.none} hint={looked}>
      <Ways key={query} query={query} />
    </Empty>
  );
}

/** Tries the query without each of its parts, one after the other, and offers what finds something. */
function Ways({ query }: { readonly query: string }) {
  const { search: texts } = useScreenTexts();
  const [found, setFound] = useState<readonly Variant[]>([]);
  const [progress, setProgress] = useState<'trying' | 'done' | 'stopped'>('trying');

  useEffect(() => {
    const isOver = new AbortController();
    void tried(query, isOver.signal, (variant) => setFound((before) => [...before, variant])).then(
      (isDone) => {
        if (!isOver.signal.aborted) setProgress(isDone ? 'done' : 'stopped');
      },
    );
    return () => isOver.abort();
  }, [query]);

  const isAlone = variantsOf(query).every(({ without }) => without === 'own rooms');
  return (
    <div className={styles.ways}>
      <p className={styles.waysHint} role="status">
        {hintOf(texts, { hasFound: found.length > 0, isAlone, progress })}
      </p>
      {found.map((variant) => (
        <Way key={variant.query} variant={variant} />
      ))}
    </div>
  );
}

interface Progress {
  readonly hasFound: boolean;
  /** There is nothing to leave out. */
  readonly isAlone: boolean;
  readonly progress: 'trying' | 'done' | 'stopped';
}

/** Only where all was tried, and completely, is it known that nothing helps. */
function hintOf(texts: SearchTexts['search'], { hasFound, isAlone, progress }: Progress): string {
  if (hasFound) return texts.found;
  if (isAlone || progress === 'stopped') return texts.fewer;
  return progress === 'trying' ? texts.trying : texts.noneHelps;
}

function Way({ variant: { query, without } }: { readonly variant: Variant }) {
  const { search: texts } = useScreenTexts();
  const isFilter = typeof without === 'object' && 'name' in without;
  const label = useFilterLabel(isFilter ? without : { name: 'in', value: '', isExcluded: false });
  const words = isFilter ? label : typeof without === 'object' ? without.words : '';
  return (
    <Button className={styles.way} onClick={() => setQuery(query)}>
      {without === 'own rooms' ? texts.everywhereToo : texts.without(words)}
    </Button>
  );
}

/** Between two tries: the server allows 5 searches a second, and the user may go on typing. */
const PAUSE_MS = 250;

/** False: not all could be tried, or not completely. */
async function tried(
  query: string,
  signal: AbortSignal,
  onFound: (variant: Variant) => void,
): Promise<boolean> {
  let isDone = true;
  for (const variant of variantsOf(query)) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (signal.aborted) return false;
    const page = await askServer(variant.query, { order: 'newest', limit: 1 }).catch(() => null);
    if (signal.aborted || page === null) return false;
    if (page.results.length > 0) onFound(variant);
    else isDone &&= page.is_complete;
  }
  return isDone;
}
