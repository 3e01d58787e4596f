/**
 * Puts messages in their place: from the snapshot, the stream and pages of history, which may arrive in any order. Pure
 * functions; the rules are those of `room-reducer.ts`, whose tests cover them.
 */
import type { Message } from '../../protocol/events.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import { ownCids, withoutCids } from './pending.ts';
import type { RoomFrame } from './room-frame.ts';
import {
  indexOfSeq,
  lastSeq,
  missing,
  type ReadAt,
  type RoomSnapshot,
  type RoomState,
} from './room-state.ts';
import { hear, placeOf, type Stream, streamAt } from './stream.ts';

/** `ahead` is dropped beyond this: a later page contains it. */
const MAX_AHEAD = 5000;

/** Applies the snapshot of an earlier visit, unless the server has responded by now. */
export function onRestored(state: RoomState, { epoch, head, messages, hasOlder }: RoomSnapshot): RoomState {
  const isOverdue = state.loaded || state.head !== null || (state.epoch !== null && state.epoch !== epoch);
  if (isOverdue) return state;
  const pending = withoutCids(state.pending, ownCids(messages, state.me.id));
  const acked = withoutHeld(state.acked, messages, head);
  return begun({ ...state, epoch, head, messages, hasOlder, pending, acked });
}

/** Lets the next connection resume from `head`, unless one has opened before, which has its own position. */
function begun(state: RoomState): RoomState {
  const { epoch, head, stream, connection } = state;
  if (stream !== null || connection.status === 'open' || epoch === null || head === null)
    return joined(state);
  return { ...state, stream: streamAt(epoch, head, 'behind'), aheadFrom: head };
}

/** Advances the stream by a frame, and applies the states that it brings. */
export function followStream(state: RoomState, frame: RoomFrame): RoomState {
  const { stream, states, isReset } = hear(state.stream, frame);
  if (stream === null || stream === state.stream) return state;
  const isBeginning = isReset || state.stream === null;
  const next = isBeginning ? beginStream(state, stream, isReset) : { ...state, stream };
  return joined(waiting(next, states));
}

function beginStream(state: RoomState, stream: Stream, isReset: boolean): RoomState {
  const { epoch, seq } = stream;
  // In another database the numbers mean other messages.
  const kept = state.epoch !== null && state.epoch !== epoch ? emptied(state) : state;
  const next = { ...kept, epoch, stream, ahead: [], aheadFrom: seq };
  return isReset ? { ...next, head: null, resets: state.resets + 1 } : next;
}

function emptied(state: RoomState): RoomState {
  const resets = state.resets + 1;
  return { ...state, head: null, messages: [], loaded: false, hasOlder: false, acked: [], resets };
}

/** Puts received states into `ahead` until history reaches them. Own messages are shown meanwhile, as acked. */
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
    room: fresh.reduce(described, state.room),
    ahead: isTooMuch ? [] : ahead,
    aheadFrom: isTooMuch ? state.stream.seq : state.aheadFrom,
    below: state.below && [...state.below, ...fresh],
    typing: state.typing.filter((typist) => !authors.has(typist.userId)),
  };
}

/** The room after a notice. `opened` may have described it in a later state. */
function described(room: RoomState['room'], message: Message): RoomState['room'] {
  const { notice } = message;
  const seq = placeOf(message);
  return notice !== undefined && 'room' in notice && room !== null && seq > room.seq
    ? { ...room, ...notice.room, seq }
    : room;
}

/** Moves `ahead` to `messages` once it follows on. */
function joined(state: RoomState): RoomState {
  const { head, stream, ahead, aheadFrom } = state;
  if (stream === null || head === null || head < aheadFrom) return state;
  const fresh = ahead.filter((message) => placeOf(message) > head);
  // Everything up to the live stream is held, wherever it came from.
  const loaded = state.loaded || stream.phase === 'live';
  return { ...put(state, fresh, Math.max(head, stream.seq)), ahead: [], loaded };
}

/** Own messages that are stored leave `pending` and are shown after `messages` until their place is reached. */
export function ackedWith({ acked, pending, me }: RoomState, fresh: readonly Message[]): Partial<RoomState> {
  return {
    acked: [...acked, ...fresh].sort((a, b) => a.seq - b.seq),
    pending: withoutCids(pending, ownCids(fresh, me.id)),
  };
}

/** Puts messages in. `head` is the new end. */
function put(state: RoomState, fresh: readonly Message[], head: number): RoomState {
  const from = state.hasOlder ? (state.messages[0]?.seq ?? (state.head ?? 0) + 1) : 0;
  const messages = merged(state.messages, fresh, from);
  return {
    ...state,
    head,
    messages,
    acked: withoutHeld(state.acked, messages, head),
    pending: withoutCids(state.pending, ownCids(fresh, state.me.id)),
  };
}

/** The held messages with these: the later state of each prevails, and one before `from` is not put in. */
function merged(held: readonly Message[], fresh: readonly Message[], from: number): readonly Message[] {
  let last = held.at(-1)?.seq ?? 0;
  const follows = fresh.every(({ seq }) => {
    const isNext = seq > last;
    last = seq;
    return isNext;
  });
  // This copies all messages for each new one, and `concat` is faster than a spread.
  if (follows) return fresh.length === 0 ? held : held.concat(fresh.filter(({ seq }) => seq >= from));
  const messages = [...held];
  for (const message of fresh) {
    const index = indexOfSeq(messages, message.seq);
    const there = messages[index];
    if (there?.seq !== message.seq) {
      if (message.seq >= from) messages.splice(index, 0, message);
    } else if (placeOf(message) > placeOf(there)) messages[index] = message;
  }
  return messages;
}

/** Acked messages whose place is not reached. */
function withoutHeld(acked: readonly Message[], messages: readonly Message[], head: number) {
  if (acked.length === 0) return acked;
  return acked.filter(({ seq }) => seq > head && messages[indexOfSeq(messages, seq)]?.seq !== seq);
}

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
  // The messages held do not reach this page, or may have changed: start over with the page.
  const over = { ...state, messages: [], head: null, loaded: true, hasOlder: false };
  const started = put({ ...over, notices: afterPage(state, page.seq) }, page.messages, page.seq);
  return begun({ ...started, hasOlder: page.has_more });
}

/** The page is of another database. The hello of a new connection names it. */
function broken(state: RoomState): RoomState {
  return { ...state, stream: state.stream && { ...state.stream, phase: 'broken' } };
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
  const heard = before.below ?? [];
  const state = { ...before, below: null };
  // The messages held were replaced or trimmed after the request.
  if (state.messages[0]?.id !== beforeId || resets !== state.resets) return state;
  if (page.epoch !== state.epoch) return broken(state);
  const older = merged(page.messages, heard, Number.POSITIVE_INFINITY);
  return {
    ...state,
    messages: older.concat(state.messages),
    hasOlder: page.has_more,
    pending: withoutCids(state.pending, ownCids(older, state.me.id)),
  };
}
