/** Puts pages of history in their place. Pure functions; the rules are those of `room-reducer.ts`. */
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import { withDeltas } from './deltas.ts';
import { broken, landed } from './meanwhile.ts';
import { merged } from './merge.ts';
import { ownCids, withoutCids } from './pending.ts';
import { lastSeq, missing, type ReadAt, type RoomState } from './room-state.ts';
import { begun, emptied, put } from './room-timeline.ts';

/** Applies the latest page of history. */
export function onLatest(before: RoomState, page: HistoryPage, { resets, connections }: ReadAt): RoomState {
  if (resets !== before.resets) return before;
  const isOfAnother = before.epoch !== null && before.epoch !== page.epoch;
  // The server has another database by now. The hello of a new connection begins it, or this page does.
  if (isOfAnother && before.connection.status === 'open') return broken(before);
  // The connection that has opened since the request may have been to a later database than the page is of.
  if (isOfAnother && connections !== before.connections) return before;
  const state = {
    ...(isOfAnother ? { ...emptied(before), stream: null, ahead: [] } : before),
    epoch: page.epoch,
  };
  const { head } = state;
  if (head !== null && page.seq <= head) return { ...state, loaded: true };
  const first = page.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  if (head !== null && missing(state) === null && first <= Math.max(head, lastSeq(state)) + 1) {
    // What has changed in earlier messages is not known, so the head stays, and a connection resumes from there.
    return { ...put(state, page.messages, head), loaded: true };
  }
  // The messages held do not reach this page, or may have changed: start over with the page. Other pages that are on
  // their way may be in an earlier state, and what has changed since would be skipped.
  const nothing = { messages: [], head: null, loaded: true, hasOlder: false };
  const over = { ...state, ...nothing, resets: head === null ? state.resets : state.resets + 1 };
  const started = put({ ...over, notices: afterPage(state, page.seq) }, page.messages, page.seq);
  return begun({ ...started, hasOlder: page.has_more });
}

/** A notice that came before the first page belongs after that page. */
function afterPage({ notices }: RoomState, end: number): RoomState['notices'] {
  return notices.map((notice) => (notice.afterSeq === 0 ? { ...notice, afterSeq: end } : notice));
}

/** Applies the page before the message with this id. */
export function onOlder(
  before: RoomState,
  page: HistoryPage,
  beforeId: number,
  { resets }: ReadAt,
): RoomState {
  const { state, heard } = landed(before);
  // The messages held were replaced or trimmed after the request.
  if (state.messages[0]?.id !== beforeId || resets !== state.resets) return state;
  if (page.epoch !== state.epoch) return broken(state);
  const older = withDeltas(merged(page.messages, heard, Number.POSITIVE_INFINITY), before.deltas);
  return {
    ...state,
    messages: older.concat(state.messages),
    hasOlder: page.has_more,
    pending: withoutCids(state.pending, ownCids(older, state.me.id)),
  };
}
