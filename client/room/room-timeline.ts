/**
 * Puts messages in their place: from the snapshot, the stream and pages of history, which may arrive in any order. Pure
 * functions; the rules are those of `room-reducer.ts`, whose tests cover them.
 */
import type { Message } from '../../protocol/events.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { RoomFrame } from '../connection/socket.ts';
import { ownCids, withoutCids } from './pending.ts';
import type { ReadAt, RoomSnapshot, RoomState } from './room-state.ts';
import { hear, type Stream } from './stream.ts';

/** `ahead` is dropped beyond this: a later page contains it. */
const MAX_AHEAD = 5000;

/** Applies the snapshot of an earlier visit, unless the server has responded by now. */
export function onRestored(state: RoomState, { epoch, head, messages, hasOlder }: RoomSnapshot): RoomState {
  const isOverdue = state.loaded || state.head !== null || (state.epoch !== null && state.epoch !== epoch);
  if (isOverdue) return state;
  const pending = withoutCids(state.pending, ownCids(messages, state.me.id));
  const acked = withoutReached(state.acked, head);
  const restored = { ...state, epoch, head, messages, hasOlder, pending, acked };
  // A connection that opened before has its own position.
  if (state.stream !== null || state.connection.status === 'open') return joined(restored);
  return { ...restored, stream: { epoch, seq: head, phase: 'behind' }, aheadFrom: head };
}

/** Advances the stream by a frame, and applies the messages that it brings. */
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
  // In another database the numbers mean other messages.
  if (state.epoch !== null && state.epoch !== epoch) {
    return { ...next, head: null, messages: [], loaded: false, hasOlder: false, acked: [] };
  }
  // A page that was read before the epoch was known, and has more than the room: it may be of another database.
  const isDoubtful = state.epoch === null && state.head !== null && state.head > seq;
  return isReset || isDoubtful ? { ...next, head: null } : next;
}

/** Puts received messages into `ahead` until history reaches them. Own messages are shown meanwhile, as acked. */
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

/** Moves `ahead` to `messages` once it follows on. */
function joined(state: RoomState): RoomState {
  const { head, stream, ahead, aheadFrom } = state;
  if (stream === null || head === null || head < aheadFrom) return state;
  const fresh = ahead.filter((message) => message.seq > head);
  // Everything up to the live stream is held, wherever it came from.
  const loaded = state.loaded || stream.phase === 'live';
  return { ...append(state, fresh, Math.max(head, stream.seq)), ahead: [], loaded };
}

/** Own messages that are stored leave `pending` and are shown after `messages` until their place is reached. */
export function ackedWith({ acked, pending, me }: RoomState, fresh: readonly Message[]): Partial<RoomState> {
  return {
    acked: [...acked, ...fresh].sort((a, b) => a.seq - b.seq),
    pending: withoutCids(pending, ownCids(fresh, me.id)),
  };
}

/** Appends messages. `head` is the new end. */
function append(state: RoomState, fresh: readonly Message[], head: number): RoomState {
  return {
    ...state,
    head,
    // This copies all messages for each new one, and `concat` is faster than a spread.
    messages: fresh.length === 0 ? state.messages : state.messages.concat(fresh),
    acked: withoutReached(state.acked, head),
    pending: withoutCids(state.pending, ownCids(fresh, state.me.id)),
  };
}

function withoutReached(acked: readonly Message[], head: number): readonly Message[] {
  return acked.some((message) => message.seq <= head) ? acked.filter((message) => message.seq > head) : acked;
}

/** Applies the latest page of history. */
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
  // The messages held do not reach this page, or belong to another database: start over with the page.
  const emptied = { ...state, messages: [], loaded: true, hasOlder: page.has_more };
  return joined(append({ ...emptied, notices: afterPage(state, end) }, page.messages, end));
}

/** The page contradicts what is held, so it is of another database. The hello of a new connection names it. */
function broken(state: RoomState): RoomState {
  return { ...state, stream: state.stream && { ...state.stream, phase: 'broken' } };
}

/** Whether the page was requested from another database, as far as that is known. */
function isOfAnother(state: RoomState, epoch: string | null): boolean {
  return epoch !== null && epoch !== state.epoch;
}

/** A notice that came before the first page belongs after that page. */
function afterPage({ notices }: RoomState, end: number): RoomState['notices'] {
  return notices.map((notice) => (notice.afterSeq === 0 ? { ...notice, afterSeq: end } : notice));
}

/** Applies the page before the message with this id. */
export function onOlder(state: RoomState, page: HistoryPage, beforeId: number, { epoch }: ReadAt): RoomState {
  const oldest = state.messages[0];
  // The messages held were replaced or trimmed after the request.
  if (oldest?.id !== beforeId || isOfAnother(state, epoch)) return state;
  // Every seq is a message, so the page ends right before the oldest message held.
  if ((page.messages.at(-1)?.seq ?? 0) !== oldest.seq - 1) return broken(state);
  return {
    ...state,
    messages: page.messages.concat(state.messages),
    hasOlder: page.has_more,
    pending: withoutCids(state.pending, ownCids(page.messages, state.me.id)),
  };
}
