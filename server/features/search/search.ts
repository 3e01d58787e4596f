/**
 * Searching for messages: the index proposes, and each proposed message is read and judged as it is now. So nobody finds
 * what was deleted, or what is in a room that they left, however far the index is behind.
 */
import type { SearchOrder, SearchPage } from '../../../protocol/rest/search.ts';
import { isTimeZone } from '../../../protocol/search/days.ts';
import { findTerms, type Hit } from '../../../protocol/search/match.ts';
import type { Stems } from '../../../protocol/search/tokens.ts';
import { beforeAll, type Proposed, type SearchIndex } from '../../data/search/search-index.ts';
import { learnStems } from '../../data/search/stems.ts';
import type { FoundRow, MessageRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { measures } from '../../platform/metrics/measures.ts';
import { type Json, jsonBytes, writeFitting } from '../../platform/written-list.ts';
import { withMessage } from '../messages/page.ts';
import { type Criteria, criteriaOf, readQuery } from './criteria.ts';
import { filesOf, textsOf } from './entry.ts';
import { Turns } from './turns.ts';

/** The time for one page. */
export const WITHIN_MS = 250;
/** Proposed messages that are read at once: for each result that is wanted, by the share of them that were found so far. */
const PROPOSED = { forEach: 1.5, least: 20, most: 200 };

export interface SearchParts {
  index: Pick<SearchIndex, 'awake' | 'propose' | 'state'>;
  store: Store;
  stems(): Promise<Stems>;
  budget: Limiter | undefined;
  now: Now;
}

export interface SearchRequest {
  userId: number;
  typed: string;
  order: SearchOrder;
  /** Only messages that come after this one in the order. */
  beyondId: number | undefined;
  limit: number;
  timeZone: string | undefined;
}

/** One page. */
interface Wanted {
  userId: number;
  order: SearchOrder;
  beyondId: number;
  limit: number;
  stems: Stems;
}

interface Result {
  message: MessageRow;
  hits: readonly (readonly Hit[])[];
}

/** What was found up to now. */
interface Progress {
  results: Result[];
  /** Everything up to this id was looked at, in the order; null: everything. */
  nextBeyondId: number | null;
  isComplete: boolean;
}

export class Search {
  readonly #parts: SearchParts;
  /** While the index is built, its state is read before what it proposes, as it may be complete a moment after. */
  #wasComplete = false;
  /** Searches judge in turns. */
  readonly #turns = new Turns();

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Throws `AppError` `invalid_query` and `too_many_requests`. */
  async page({ userId, typed, order, beyondId, limit, timeZone }: SearchRequest): Promise<Json<SearchPage>> {
    const { store, index, budget, now } = this.#parts;
    const query = readQuery(typed);
    await takeOrRefuse(budget, String(userId));
    const stems = await this.#parts.stems();
    const at = now();
    const scope = await store.searchScope({ userId, now: at, ...query });
    const zone = [timeZone, scope.timeZone, 'UTC'].find(
      (name) => typeof name === 'string' && isTimeZone(name),
    );
    const criteria = criteriaOf(query, { scope, userId, stems, timeZone: zone ?? 'UTC', now: at });
    const begun = performance.now();
    // The time for a page is for looking through it.
    await index.awake();
    const [state, found] = await Promise.all([
      this.#wasComplete ? index.state() : await index.state(),
      this.#find(criteria, { userId, order, beyondId: beyondId ?? beforeAll(order), limit, stems }),
    ]);
    this.#wasComplete = state?.fromId === 0;
    measures.searches.observe((performance.now() - begun) / 1000);
    if (!found.isComplete) measures.searchesCut++;
    const since = state === null ? at : state.fromId === 0 ? null : (state.since ?? at);
    return await toJson(found, order, since);
  }

  async #find(criteria: Criteria, wanted: Wanted): Promise<Progress> {
    const { userId, order, beyondId, limit, stems } = wanted;
    const { store, now } = this.#parts;
    const until = performance.now() + WITHIN_MS;
    const results: Result[] = [];
    let read = 0;
    for (let from = beyondId; ; ) {
      const most = proposedFor(limit - results.length, read === 0 ? 1 : results.length / read);
      const proposed = await this.#propose(criteria, {
        ...{ userId, order, beyondId: from, limit: most },
        withinMs: until - performance.now(),
      });
      const newestFirst = await store.foundMessages({ userId, now: now(), places: proposed.messages });
      const rows = order === 'newest' ? newestFirst : newestFirst.reverse();
      read += rows.length;
      const judge = (row: FoundRow): Progress | undefined => {
        const { message } = row;
        const hits = criteria.accepts(row) ? findTerms(textsOf(message), criteria.terms, stems) : null;
        if (hits) results.push({ message, hits });
        if (results.length === limit) return { results, nextBeyondId: message.id, isComplete: true };
        if (performance.now() >= until) return { results, nextBeyondId: message.id, isComplete: false };
        return undefined;
      };
      const end = await this.#turns.first(rows, judge, ({ message }) =>
        criteria.isOfStems ? learnStems(textsOf(message), stems) : [],
      );
      if (end) return end;
      const { nextBeyondId } = proposed;
      if (nextBeyondId === null) return { results, nextBeyondId, isComplete: true };
      if (performance.now() >= until) return { results, nextBeyondId, isComplete: false };
      from = nextBeyondId;
    }
  }

  async #propose(
    { conditions, roomIds, isOfSaved }: Criteria,
    { userId, ...of }: Omit<Wanted, 'stems'> & { withinMs: number },
  ): Promise<Proposed> {
    const { index, store } = this.#parts;
    if (!isOfSaved) return await index.propose({ conditions, roomIds, ...of });
    const saved = await store.savedPlaces({ userId, ...of });
    const rooms = new Set(roomIds);
    return {
      messages: saved.filter(({ roomId }) => rooms.has(roomId)),
      nextBeyondId: saved.length < of.limit ? null : (saved.at(-1)?.messageId ?? null),
    };
  }
}

/** How many messages are to be proposed for so many results. */
function proposedFor(wanted: number, share: number): number {
  const { forEach, least, most } = PROPOSED;
  return share === 0 ? most : Math.min(most, Math.max(least, Math.ceil((wanted * forEach) / share)));
}

async function toJson(
  { results, nextBeyondId, isComplete }: Progress,
  order: SearchOrder,
  since: number | null,
): Promise<Json<SearchPage>> {
  const writing = withMessage<Result>(({ message, hits }) => {
    const [own = [], ...ofFiles] = hits;
    const files = filesOf(message)
      .map(({ key }, place) => ({ key, name: ofFiles[2 * place] ?? [], alt: ofFiles[2 * place + 1] ?? [] }))
      .filter(({ name, alt }) => name.length > 0 || alt.length > 0);
    return { hits: own, ...(files.length > 0 && { file_hits: files }) };
  });
  const { json, rows } = await writeFitting(results, writing);
  // What does not fit is on the next page.
  const next = json.length < results.length ? (rows.at(-1)?.message.id ?? null) : nextBeyondId;
  const rest = {
    ...(order === 'newest' ? { next_before_id: next } : { next_before_id: null, next_after_id: next }),
    is_complete: isComplete,
    indexed_from: since === null ? null : new Date(since).toISOString(),
  };
  return jsonBytes('{"results":[', json, `],${JSON.stringify(rest).slice(1)}`);
}
