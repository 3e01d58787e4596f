/**
 * How messages come to their place in the room: what was kept, what the stream brings, and pages of history, which may
 * arrive in any order. Pure; the rules are those of `room.ts`, and its tests judge it.
 */
import type { Message } from '../../protocol/events.ts';
import type { HistoryPage } from '../../protocol/rest.ts';
import type { RoomFrame } from '../connection/socket.ts';
import { ownCids, withoutCids } from './pending.ts';
import type { ReadAt, RoomSnapshot, RoomState } from './room-state.ts';
import { hear, type Stream } from './stream.ts';

/** More than this is not held for a page that does not come: a later page has it. */
const MAX_AHEAD = 5000;

/** What was kept from an earlier visit, unless the server has told more by now. */
export function onRestored(state: RoomState, { epoch, head, messages, hasOlder }: RoomSnapshot): RoomState {
  const isOverdue = state.loaded || state.head !== null || (state.epoch !== null && state.epoch !== epoch);
  if (isOverdue) return state;
  const pending = withoutCids(state.pending, ownCids(messages, state.me.id));
  const acked = withoutReached(state.acked, head);
  const restored = { ...state, epoch, head, messages, hasOlder, pending, acked };
  // A connection that was made before goes on from elsewhere.
  if (state.stream !== null || state.connection.status === 'open') return joined(restored);
  return { ...restored, stream: { epoch, seq: head, phase: 'behind' }, aheadFrom: head };
}

/** What a frame does to the stream, and what the stream then brings. */
export function followStream(state: RoomState, frame: RoomFrame): RoomState {
  const { stream, messages, isReset } = hear(state.stream, frame);
  if (stream === null || stream === state.stream) return state;
  const isBeginning = isReset || state.stream === null;
  const begun = isBeginning ? beginStream(state, stream, isReset) : { ...state, stream };
  return joined(waiting(begun, messages));
}

function beginStream(state: RoomState, stream: Stream, isReset: boolean): RoomState {
  const { epoch, seq } = stream;
  const next = { ...state, epoch, stream, ahead: [], aheadFrom: seq };
  // In another life of the database the numbers mean other messages.
  if (state.epoch !== null && state.epoch !== epoch) {
    return { ...next, head: null, messages: [], loaded: false, hasOlder: false, acked: [] };
  }
  // A page that was read before any epoch was known and has more than there is: from another life, perhaps.
  const isDoubtful = state.epoch === null && state.head !== null && state.head > seq;
  return isReset || isDoubtful ? { ...next, head: null } : next;
}

/** What the stream has brought waits until history reaches to it; what is one's own is shown meanwhile, as stored. */
function waiting(state: RoomState, fresh: readonly Message[]): RoomState {
  if (fresh.length === 0 || state.stream === null) return state;
  const authors = new Set(fresh.map((message) => message.user_id));
  const cids = new Set(state.pending.map(({ cid }) => cid));
  const own = fresh.filter(
    ({ cid, user_id }) => user_id === state.me.id && cid !== undefined && cids.has(cid),
  );
  const ahead = state.ahead.length === 0 ? fresh : state.ahead.concat(fresh);
  const isTooMuch = ahead.length > MAX_AHEAD;
  return {
    ...state,
    ...(own.length > 0 && ackedWith(state, own)),
    ahead: isTooMuch ? [] : ahead,
    aheadFrom: isTooMuch ? state.stream.seq : state.aheadFrom,
    typing: state.typing.filter((typist) => !authors.has(typist.userId)),
  };
}

/** Puts `ahead` in its place as soon as it follows on. */
function joined(state: RoomState): RoomState {
  const { head, stream, ahead, aheadFrom } = state;
  if (stream === null || head === null || head < aheadFrom) return state;
  const fresh = ahead.filter((message) => message.seq > head);
  // With all up to where the connection goes on, it does not matter where that came from.
  const loaded = state.loaded || stream.phase === 'live';
  return { ...append(state, fresh, Math.max(head, stream.seq)), ahead: [], loaded };
}

/** Own messages that are stored: no more pending, and shown after the rest until their place is reached. */
export function ackedWith({ acked, pending, me }: RoomState, fresh: readonly Message[]): Partial<RoomState> {
  return {
    acked: [...acked, ...fresh].sort((a, b) => a.seq - b.seq),
    pending: withoutCids(pending, ownCids(fresh, me.id)),
  };
}

/** Puts messages at the end, which now is at `head`. */
function append(state: RoomState, fresh: readonly Message[], head: number): RoomState {
  return {
    ...state,
    head,
    // `concat`, as a spread copies element by element: this runs for every message, over all that are held.
    messages: fresh.length === 0 ? state.messages : state.messages.concat(fresh),
    acked: withoutReached(state.acked, head),
    pending: withoutCids(state.pending, ownCids(fresh, state.me.id)),
  };
}

function withoutReached(acked: readonly Message[], head: number): readonly Message[] {
  return acked.some((message) => message.seq <= head) ? acked.filter((message) => message.seq > head) : acked;
}

/** A page of the end of history. */
export function onLatest(state: RoomState, page: HistoryPage, { epoch, upTo }: ReadAt): RoomState {
  if (isOfAnother(state, epoch)) return state;
  const { head } = state;
  const first = page.messages[0]?.seq;
  const last = page.messages.at(-1)?.seq ?? 0;
  if (state.ahead.some(({ seq }) => last < seq && seq <= upTo)) return broken(state);
  const end = Math.max(last, upTo);
  if (head !== null && end <= head) return { ...state, loaded: true };
  if (head !== null && first !== undefined && first <= head + 1) {
    const fresh = page.messages.filter((message) => message.seq > head);
    return joined({ ...append(state, fresh, end), loaded: true });
  }
  // What is held does not reach to this page, or belongs to another life: the page begins anew.
  const emptied = { ...state, messages: [], loaded: true, hasOlder: page.has_more };
  return joined(append({ ...emptied, notices: afterPage(state, end) }, page.messages, end));
}

/** A page does not go with what is held, so it is of another life of the database: which, another connection has to tell. */
function broken(state: RoomState): RoomState {
  return { ...state, stream: state.stream && { ...state.stream, phase: 'broken' } };
}

/** A page that was asked for in another life of the database. Before any was known, nobody can tell. */
function isOfAnother(state: RoomState, epoch: string | null): boolean {
  return epoch !== null && epoch !== state.epoch;
}

/** A notice that came while nothing was loaded belongs after what was already there. */
function afterPage({ notices }: RoomState, end: number): RoomState['notices'] {
  return notices.map((notice) => (notice.afterSeq === 0 ? { ...notice, afterSeq: end } : notice));
}

/** A page of what lies before the message with this id. */
export function onOlder(state: RoomState, page: HistoryPage, beforeId: number, { epoch }: ReadAt): RoomState {
  const oldest = state.messages[0];
  // It was asked for before what is held was replaced or forgotten.
  if (oldest?.id !== beforeId || isOfAnother(state, epoch)) return state;
  // Messages alone have numbers, so one follows on the other.
  if ((page.messages.at(-1)?.seq ?? 0) !== oldest.seq - 1) return broken(state);
  return {
    ...state,
    messages: page.messages.concat(state.messages),
    hasOlder: page.has_more,
    pending: withoutCids(state.pending, ownCids(page.messages, state.me.id)),
  };
}
