/** Asks the server what is looked for, or the device while there is no server, and keeps what was found up to date. */
import { ApiError, type Message } from '../../../../client/index.ts';
import type { SearchOrder, SearchPage } from '../../../../protocol/rest/search.ts';
import {
  type Failure,
  type Found,
  isBefore,
  NOTHING,
  nextOf,
  type Result,
  reduceSearch,
  type SearchAction,
  type SearchState,
} from './search-state.ts';

/** One goes on typing. */
const TYPING_MS = 250;
/** The server allows 5 searches a second; without a time of its own, this is waited for. */
const PATIENCE_MS = 1000;
/** Changes in rooms that are not open come in bursts, and the server is not asked for each. */
const AGAIN_MS = { first: 800, between: 8000 };
/** Pages that are read again at most. */
const AGAIN_PAGES = 4;
const AGAIN_LIMIT = 50;

export interface Asking {
  readonly order: SearchOrder;
  readonly beyondId?: number;
  readonly limit?: number;
}

export interface SearchParts {
  /** `beyondId`: the message behind which the page begins, in the order. */
  ask(query: string, options: Asking): Promise<SearchPage>;
  /** Null: the device cannot say. */
  askDevice(query: string, order: SearchOrder): Promise<{ results: readonly Result[]; rooms: number } | null>;
  /** The result of a message that was edited, as far as the device can say. */
  again(query: string, message: Message): Result;
  onChange(state: SearchState): void;
}

export class SearchSession {
  readonly #parts: SearchParts;
  #state: SearchState = NOTHING;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;
  #reading: ReturnType<typeof setTimeout> | undefined;
  #readAt = 0;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  get state(): SearchState {
    return this.#state;
  }

  /** Somebody is typing: asks once they pause. */
  type(query: string): void {
    clearTimeout(this.#typing);
    if (query === this.#state.query && this.#state.status !== 'failed') return;
    this.#typing = setTimeout(() => this.ask(query), query === '' ? 0 : TYPING_MS);
  }

  /** Asks now. A question that has its response already is asked again. */
  ask(query: string, order = this.#state.order): void {
    clearTimeout(this.#typing);
    clearTimeout(this.#patience);
    clearTimeout(this.#reading);
    this.#reading = undefined;
    this.#dispatch({ type: 'ask', query, order });
    if (query !== '') void this.#first(this.#state.turn);
  }

  /** Asks now, unless that was just done. */
  submit(query: string): void {
    const { query: asked, status } = this.#state;
    if (query !== asked || status === 'failed') this.ask(query);
  }

  /** Asks again in this order. It stays for what is looked for next. */
  sort(order: SearchOrder): void {
    if (order !== this.#state.order) this.ask(this.#state.query, order);
  }

  /** The next page. */
  more(): void {
    const { isAskingMore } = this.#state;
    this.#dispatch({ type: 'ask more' });
    if (!isAskingMore && this.#state.isAskingMore) void this.#more(this.#state.turn);
  }

  /** Asks the server, where the device has answered or nobody has. */
  backOnline(): void {
    const { query, source, status } = this.#state;
    if (query !== '' && (source === 'device' || status === 'failed')) this.ask(query);
    else if (query !== '') this.readAgain();
  }

  changed(messages: readonly Message[]): void {
    const { query, results } = this.#state;
    this.#dispatch({ type: 'changed', messages, again: (message) => this.#parts.again(query, message) });
    // Only the server knows all forms of a word.
    if (results !== this.#state.results) this.readAgain();
  }

  lost(roomIds: ReadonlySet<number>): void {
    this.#dispatch({ type: 'lost', roomIds });
  }

  /** Something may have changed that the device was not told of: reads what is shown once more, soon. */
  readAgain(): void {
    if (this.#state.status !== 'ready' || this.#state.source === 'device') return;
    const since = performance.now() - this.#readAt;
    const wait = Math.max(AGAIN_MS.first, this.#readAt === 0 ? 0 : AGAIN_MS.between - since);
    this.#reading ??= setTimeout(() => {
      this.#reading = undefined;
      this.#readAt = performance.now();
      this.#readAgain(this.#state).catch(() => undefined);
    }, wait);
  }

  /** Nothing is looked for any more, and nothing remembered. */
  clear(): void {
    this.ask('', NOTHING.order);
    this.#readAt = 0;
  }

  async #first(turn: number): Promise<void> {
    const { query, order } = this.#state;
    try {
      const page = await this.#parts.ask(query, { order });
      this.#dispatch({ type: 'found', turn, page: { ...page, source: 'server' } });
    } catch (error) {
      await this.#refused(turn, error, () => this.#first(turn), true);
    }
  }

  async #more(turn: number): Promise<void> {
    const { query, order, next } = this.#state;
    if (next === null) return;
    try {
      const page = await this.#parts.ask(query, { order, beyondId: next });
      this.#dispatch({ type: 'found more', turn, page: { ...page, source: 'server' } });
    } catch (error) {
      await this.#refused(turn, error, () => this.#more(turn), false);
    }
  }

  async #refused(turn: number, error: unknown, again: () => Promise<void>, isFirst: boolean): Promise<void> {
    if (turn !== this.#state.turn) return;
    if (error instanceof ApiError && error.status === 429) {
      this.#dispatch({ type: 'held', turn });
      this.#patience = setTimeout(() => void again(), error.retryAfterMs ?? PATIENCE_MS);
      return;
    }
    const failure = failureOf(error);
    const page = isFirst && failure === 'unreachable' ? await this.#onDevice() : null;
    this.#dispatch(page === null ? { type: 'failed', turn, failure } : { type: 'found', turn, page });
  }

  async #onDevice(): Promise<Found | null> {
    const answer = await this.#parts.askDevice(this.#state.query, this.#state.order).catch(() => null);
    if (answer === null) return null;
    return {
      ...{ results: [...answer.results], next_before_id: null, is_complete: true, indexed_from: null },
      ...{ source: 'device', deviceRooms: answer.rooms },
    };
  }

  async #readAgain({ turn, query, order, results }: SearchState): Promise<void> {
    const last = results.at(-1)?.message.id;
    if (last === undefined) return;
    const read: Result[] = [];
    let upTo: number | undefined;
    for (let pages = 0; pages < AGAIN_PAGES && (upTo === undefined || isBefore(order, upTo, last)); pages++) {
      const beyond = upTo === undefined ? {} : { beyondId: upTo };
      const page = await this.#parts.ask(query, { order, limit: AGAIN_LIMIT, ...beyond });
      if (!page.is_complete) return;
      read.push(...page.results);
      upTo = nextOf(page) ?? last;
    }
    if (upTo === undefined) return;
    this.#dispatch({
      type: 'read again',
      turn,
      results: read.filter(({ message }) => !isBefore(order, last, message.id)),
      upTo: isBefore(order, upTo, last) ? upTo : last,
    });
  }

  #dispatch(action: SearchAction): void {
    const state = reduceSearch(this.#state, action);
    if (state === this.#state) return;
    this.#state = state;
    this.#parts.onChange(state);
  }
}

function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiError)) return 'other';
  if (error.status === 400) return 'invalid';
  return error.status === 0 || error.status >= 500 ? 'unreachable' : 'other';
}
