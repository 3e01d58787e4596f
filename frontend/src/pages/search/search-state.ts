/**
 * What a search has found, as a pure reducer. The rules that its tests quote:
 * 1. A response to an earlier question changes nothing.
 * 2. Each message is there once, in the order that was asked for, whatever pages say.
 * 3. A message that was deleted, or is in a room that was lost, does not come back, whatever a page says that was asked
 *    for before.
 * 4. While a new question waits for its response, what was found last stays, and is told apart.
 * 5. Only one page more is asked for at a time, and none after the last.
 */
import type { Message } from '../../../../client/index.ts';
import type { SearchOrder, SearchPage } from '../../../../protocol/rest/search.ts';

export type Result = SearchPage['results'][number];

/** `busy`: the server asks for patience. `unreachable`: there is no server, and the device cannot help either. */
export type Failure = 'invalid' | 'busy' | 'unreachable' | 'other';

/** Where the results come from. */
export type Source = 'server' | 'device';

/** A page of either source. */
export interface Found extends SearchPage {
  readonly source: Source;
  /** How many rooms the device has looked in. */
  readonly deviceRooms?: number;
}

export interface SearchState {
  /** What is looked for; empty: nothing is. */
  readonly query: string;
  readonly order: SearchOrder;
  /** Counts the questions. */
  readonly turn: number;
  /** `asking`: `results` are those of an earlier question. */
  readonly status: 'idle' | 'asking' | 'ready' | 'failed';
  readonly source: Source;
  /** How many rooms the device has looked in, where it has answered. */
  readonly deviceRooms: number;
  readonly results: readonly Result[];
  /** Where the next page begins; null: there is none. */
  readonly next: number | null;
  /** False: there may be more between the last result and `next`. */
  readonly isComplete: boolean;
  /** Only messages from this time on can be found as yet. */
  readonly indexedFrom: string | null;
  readonly isAskingMore: boolean;
  readonly failure: Failure | null;
  /** Messages that are not there any more, since the question was asked. */
  readonly gone: ReadonlySet<number>;
}

export type SearchAction =
  | { readonly type: 'ask'; readonly query: string; readonly order: SearchOrder }
  | { readonly type: 'found'; readonly turn: number; readonly page: Found }
  | { readonly type: 'ask more' }
  | { readonly type: 'found more'; readonly turn: number; readonly page: Found }
  | { readonly type: 'failed'; readonly turn: number; readonly failure: Failure }
  /** The server asks for patience: the question waits. */
  | { readonly type: 'held'; readonly turn: number }
  /** Messages as they are now. `again`: the result of one that was edited. */
  | {
      readonly type: 'changed';
      readonly messages: readonly Message[];
      readonly again: (message: Message) => Result;
    }
  /** Messages of these rooms may not be read any more. */
  | { readonly type: 'lost'; readonly roomIds: ReadonlySet<number> }
  /** These are all results up to the one with the id `upTo`, in the order, as the server has them now. */
  | {
      readonly type: 'read again';
      readonly turn: number;
      readonly results: readonly Result[];
      readonly upTo: number;
    };

export const NOTHING: SearchState = {
  query: '',
  order: 'newest',
  turn: 0,
  status: 'idle',
  source: 'server',
  deviceRooms: 0,
  results: [],
  next: null,
  isComplete: true,
  indexedFrom: null,
  isAskingMore: false,
  failure: null,
  gone: new Set(),
};

/** The state after the action. */
export function reduceSearch(state: SearchState, action: SearchAction): SearchState {
  switch (action.type) {
    case 'ask':
      return asked(state, action);
    case 'found':
      return action.turn === state.turn ? found(state, action.page, []) : state;
    case 'ask more':
      return state.status !== 'ready' || state.next === null || state.isAskingMore
        ? state
        : { ...state, isAskingMore: true, failure: null };
    case 'found more':
      return action.turn === state.turn && state.isAskingMore
        ? found(state, action.page, state.results)
        : state;
    case 'failed':
      return action.turn === state.turn ? failed(state, action.failure) : state;
    case 'held':
      return action.turn === state.turn ? { ...state, failure: 'busy' } : state;
    case 'changed':
      return changed(state, action.messages, action.again);
    case 'lost':
      return without(state, ({ message }) => action.roomIds.has(message.room_id));
    case 'read again':
      return action.turn === state.turn && state.status === 'ready' ? readAgain(state, action) : state;
  }
}

function asked(
  state: SearchState,
  { query, order }: { readonly query: string; readonly order: SearchOrder },
): SearchState {
  const turn = state.turn + 1;
  if (query === '') return { ...NOTHING, order, turn };
  const results = ordered(state.results, state.gone, order);
  return {
    ...{ ...state, query, order, turn, results },
    ...{ status: 'asking', isAskingMore: false, failure: null, gone: new Set() },
  };
}

function found(state: SearchState, page: Found, before: readonly Result[]): SearchState {
  return {
    ...state,
    status: 'ready',
    source: page.source,
    deviceRooms: page.deviceRooms ?? 0,
    results: ordered([...before, ...page.results], state.gone, state.order),
    next: nextOf(page),
    isComplete: page.is_complete,
    indexedFrom: page.indexed_from,
    isAskingMore: false,
    failure: null,
  };
}

/** Where the page behind this one begins; null: there is none. */
export function nextOf({ next_before_id: before, next_after_id: after }: SearchPage): number | null {
  return before ?? after ?? null;
}

/** Whether the first of two messages stands before the other. Ids grow with time. */
export function isBefore(order: SearchOrder, id: number, other: number): boolean {
  return order === 'newest' ? id > other : id < other;
}

/** The latest state of each message, in the order. */
function ordered(
  results: readonly Result[],
  gone: ReadonlySet<number>,
  order: SearchOrder,
): readonly Result[] {
  const byId = new Map(
    results.filter(({ message }) => !gone.has(message.id)).map((one) => [one.message.id, one]),
  );
  return [...byId.values()].sort((a, b) => (isBefore(order, a.message.id, b.message.id) ? -1 : 1));
}

function failed(state: SearchState, failure: Failure): SearchState {
  if (state.isAskingMore) return { ...state, isAskingMore: false, failure };
  return { ...state, status: 'failed', results: [], next: null, failure };
}

function changed(
  state: SearchState,
  messages: readonly Message[],
  again: (message: Message) => Result,
): SearchState {
  if (state.status === 'idle') return state;
  const deleted = messages.filter(({ deleted_at: at }) => at !== undefined).map(({ id }) => id);
  const known = new Map(messages.map((message) => [message.id, message]));
  const isShown = state.results.some(({ message }) => known.has(message.id));
  if (deleted.length === 0 && !isShown) return state;
  const gone = new Set([...state.gone, ...deleted]);
  const results = state.results.flatMap((result) => {
    const message = known.get(result.message.id);
    if (message === undefined) return [result];
    if (gone.has(message.id)) return [];
    return [message.content === result.message.content ? { ...result, message } : again(message)];
  });
  return { ...state, gone, results };
}

function without(state: SearchState, isGone: (result: Result) => boolean): SearchState {
  const ids = state.results.filter(isGone).map(({ message }) => message.id);
  if (ids.length === 0) return state;
  const gone = new Set([...state.gone, ...ids]);
  return { ...state, gone, results: ordered(state.results, gone, state.order) };
}

function readAgain(
  state: SearchState,
  { results, upTo }: { readonly results: readonly Result[]; readonly upTo: number },
): SearchState {
  const { order } = state;
  const beyond = state.results.filter(({ message }) => isBefore(order, upTo, message.id));
  return { ...state, results: ordered([...results, ...beyond], state.gone, order) };
}
