/**
 * Searching for messages: the index proposes, and each proposed message is read and judged as it is now. So nobody finds
 * what was deleted, or what is in a room that they left, however far the index is behind.
 */
import { setImmediate as otherWork } from 'node:timers/promises';
import type { SearchPage } from '../../../protocol/rest/search.ts';
import { findTerms, type Hit } from '../../../protocol/search/match.ts';
import type { Stems } from '../../../protocol/search/tokens.ts';
import type { Proposed, SearchIndex } from '../../data/search/search-index.ts';
import type { MessageRow, Store } from '../../data/storage/store.ts';
import type { Now } from '../../platform/clock.ts';
import { type Limiter, takeOrRefuse } from '../../platform/limits/limiter.ts';
import { measures } from '../../platform/metrics/measures.ts';
import { type Json, withMessage, writeFitting } from '../messages/page.ts';
import { type Criteria, criteriaOf, readQuery } from './criteria.ts';
import { isTimeZone, type Span } from './days.ts';
import { filesOf, textsOf } from './entry.ts';

/** The time for one page. */
const WITHIN_MS = 250;
/** Proposed messages that are read at once: few at first, since most are found. */
const PROPOSED = { first: 60, most: 200 };
/** So long the event loop waits for the judgement of messages. */
const SLICE_MS = 3;
/** Clocks of processes may differ by so much, and ids ascend with time but for that. */
const CLOCKS_MS = 60_000;

export interface SearchParts {
  index: SearchIndex;
  store: Store;
  stems(): Promise<Stems>;
  budget: Limiter | undefined;
  now: Now;
}

export interface SearchRequest {
  userId: number;
  typed: string;
  beforeId: number | undefined;
  limit: number;
  timeZone: string | undefined;
}

interface Result {
  message: MessageRow;
  hits: readonly (readonly Hit[])[];
}

/** What was found up to now. */
interface Progress {
  results: Result[];
  /** Everything from this id on was looked at; null: everything. */
  nextBeforeId: number | null;
  isComplete: boolean;
}

export class Search {
  readonly #parts: SearchParts;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /** Throws `AppError` `invalid_query` and `too_many_requests`. */
  async page({ userId, typed, beforeId, limit, timeZone }: SearchRequest): Promise<Json<SearchPage>> {
    const { store, index, budget, now } = this.#parts;
    const asked = readQuery(typed);
    await takeOrRefuse(budget, String(userId));
    const stems = await this.#parts.stems();
    const at = now();
    const scope = await store.searchScope({ userId, now: at, ...asked });
    const zone = [timeZone, scope.timeZone, 'UTC'].find(
      (name) => typeof name === 'string' && isTimeZone(name),
    );
    const criteria = criteriaOf(asked, { scope, userId, stems, timeZone: zone ?? 'UTC', now: at });
    const before = Math.min(beforeId ?? Number.MAX_SAFE_INTEGER, await this.#endOf(criteria.span));
    const state = await index.state();
    const begun = performance.now();
    const found = await this.#find(criteria, { userId, before, limit, stems });
    measures.searches.observe((performance.now() - begun) / 1000);
    if (!found.isComplete) measures.searchesCut++;
    const since = state === null ? at : state.fromId === 0 ? null : (state.since ?? at);
    return await toJson(found, since);
  }

  async #find(
    criteria: Criteria,
    { userId, before, limit, stems }: { userId: number; before: number; limit: number; stems: Stems },
  ): Promise<Progress> {
    const { store, now } = this.#parts;
    const until = performance.now() + WITHIN_MS;
    const results: Result[] = [];
    for (let from = before, most = PROPOSED.first; ; most = PROPOSED.most) {
      const proposed = await this.#propose(criteria, {
        ...{ userId, beforeId: from, limit: most },
        withinMs: until - performance.now(),
      });
      const rows = await store.foundMessages({ userId, now: now(), places: proposed.messages });
      const slices = new Slices();
      for (const row of rows) {
        const { message } = row;
        await slices.next();
        if (message.createdAt < criteria.span.from - CLOCKS_MS)
          return { results, nextBeforeId: null, isComplete: true };
        const hits = criteria.accepts(row) ? findTerms(textsOf(message), criteria.terms, stems) : null;
        if (hits) results.push({ message, hits });
        if (results.length === limit) return { results, nextBeforeId: message.id, isComplete: true };
        if (performance.now() >= until) return { results, nextBeforeId: message.id, isComplete: false };
      }
      const { nextBeforeId } = proposed;
      if (nextBeforeId === null) return { results, nextBeforeId, isComplete: true };
      if (performance.now() >= until) return { results, nextBeforeId, isComplete: false };
      from = nextBeforeId;
    }
  }

  async #propose(
    { conditions, roomIds, isOfSaved }: Criteria,
    { userId, ...of }: { userId: number; beforeId: number; limit: number; withinMs: number },
  ): Promise<Proposed> {
    const { index, store } = this.#parts;
    if (!isOfSaved) return await index.propose({ conditions, roomIds, ...of });
    const saved = await store.savedPlaces({ userId, ...of });
    const rooms = new Set(roomIds);
    return {
      messages: saved.filter(({ roomId }) => rooms.has(roomId)),
      nextBeforeId: saved.length < of.limit ? null : (saved.at(-1)?.messageId ?? null),
    };
  }

  /** An id that all messages of the span are before. Ids ascend with time. Source: binary search. */
  async #endOf({ to }: Span): Promise<number> {
    const { index, store } = this.#parts;
    if (to === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER;
    let low = 1;
    let high = (await store.lastMessageId()) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const place = await index.next(middle);
      const message = place && (await store.message(place));
      if (!place || (message && message.createdAt >= to + CLOCKS_MS)) high = middle;
      else low = Math.max(middle, place.messageId) + 1;
    }
    return high;
  }
}

/** Lets others work now and then. */
class Slices {
  #since = performance.now();

  async next(): Promise<void> {
    if (performance.now() - this.#since < SLICE_MS) return;
    await otherWork();
    this.#since = performance.now();
  }
}

async function toJson(
  { results, nextBeforeId, isComplete }: Progress,
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
  const next = json.length < results.length ? (rows.at(-1)?.message.id ?? null) : nextBeforeId;
  const rest = {
    next_before_id: next,
    is_complete: isComplete,
    indexed_from: since === null ? null : new Date(since).toISOString(),
  };
  return `{"results":[${json.join()}],${JSON.stringify(rest).slice(1)}`;
}
