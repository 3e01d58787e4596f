/**
 * Puts messages from the snapshot and the stream in their place; `room-pages.ts` has the pages of history. Pure
 * functions; the rules are those of `room-reducer.ts`, whose tests cover them.
 */
import type { Message } from '../../protocol/events.ts';
import { type Delta, withDeltas } from './deltas.ts';
import { unheard } from './meanwhile.ts';
import { merged } from './merge.ts';
import { ownCids, withoutCids } from './pending.ts';
import { changedQuotes } from './quotes.ts';
import type { RoomFrame } from './room-frame.ts';
import type { RoomSnapshot, RoomState } from './room-state.ts';
import { indexOfSeq } from './room-state.ts';
import { atLatest, changedSegment, missedBy } from './segment.ts';
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
export function begun(state: RoomState): RoomState {
  const { epoch, head, stream, connection } = state;
  if (stream !== null || connection.status === 'open' || epoch === null || head === null)
    return joined(state);
  const detached = missedBy(state.detached, head);
  return { ...state, stream: streamAt(epoch, head, 'behind'), aheadFrom: head, detached };
}

/** Advances the stream by a frame, and applies the states that it brings. */
export function followStream(state: RoomState, frame: RoomFrame): RoomState {
  const { stream, states, delta, isReset } = hear(state.stream, frame);
  if (stream === null || stream === state.stream) return state;
  const isBeginning = isReset || state.stream === null;
  const next = isBeginning ? beginStream(state, stream, isReset) : { ...state, stream };
  // The replies of threads are no part of the room's main flow.
  const inFlow = states.filter(({ thread_id }) => thread_id === undefined);
  const held = waiting(next, inFlow);
  return changedQuotes(joined(delta === null ? held : changedBy(held, delta)), states, delta);
}

/** Applies a delta to its message, wherever it is held, and keeps it for a page that may lack it. */
function changedBy(state: RoomState, delta: Delta): RoomState {
  const { deltas, messages, ahead, acked, meanwhile, detached } = state;
  const isTooMuch = deltas.length >= MAX_AHEAD && meanwhile === null;
  return {
    ...state,
    messages: withDeltas(messages, [delta]),
    ahead: isTooMuch ? [] : withDeltas(ahead, [delta]),
    acked: withDeltas(acked, [delta]),
    meanwhile: meanwhile && { ...meanwhile, states: withDeltas(meanwhile.states, [delta]) },
    detached: detached && { ...detached, messages: withDeltas(detached.messages, [delta]) },
    aheadFrom: isTooMuch ? delta.changed_seq : state.aheadFrom,
    deltas: isTooMuch ? [] : [...deltas, delta],
  };
}

function beginStream(state: RoomState, stream: Stream, isReset: boolean): RoomState {
  const { epoch, seq } = stream;
  // In another database the numbers mean other messages.
  const kept = state.epoch !== null && state.epoch !== epoch ? emptied(state) : state;
  const detached = missedBy(kept.detached, seq);
  const heard = { ahead: [], aheadFrom: seq, deltas: [], meanwhile: unheard(kept.meanwhile) };
  const next = { ...kept, ...heard, epoch, stream, detached };
  return isReset ? { ...next, head: null, resets: state.resets + 1 } : next;
}

export function emptied(state: RoomState): RoomState {
  const resets = state.resets + 1;
  const nothing = {
    head: null,
    messages: [],
    loaded: false,
    hasOlder: false,
    acked: [],
    deltas: [],
    quoted: new Map(),
  };
  const meanwhile = unheard(state.meanwhile);
  return { ...state, ...nothing, resets, meanwhile, ...(state.detached && atLatest(state)) };
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
    meanwhile: state.meanwhile && { ...state.meanwhile, states: [...state.meanwhile.states, ...fresh] },
    detached: state.detached && changedSegment(state.detached, fresh),
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
  const next = put(state, fresh, Math.max(head, stream.seq));
  const messages = withDeltas(next.messages, state.deltas);
  return { ...next, messages, ahead: [], deltas: state.meanwhile === null ? [] : state.deltas, loaded };
}

/** Own messages that are stored leave `pending` and are shown after `messages` until their place is reached. */
export function ackedWith({ acked, pending, me }: RoomState, fresh: readonly Message[]): Partial<RoomState> {
  return {
    acked: [...acked, ...fresh].sort((a, b) => a.seq - b.seq),
    pending: withoutCids(pending, ownCids(fresh, me.id)),
  };
}

/** Puts messages in. `head` is the new end. */
export function put(state: RoomState, fresh: readonly Message[], head: number): RoomState {
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

/** Acked messages whose place is not reached. */
function withoutHeld(acked: readonly Message[], messages: readonly Message[], head: number) {
  if (acked.length === 0) return acked;
  return acked.filter(({ seq }) => seq > head && messages[indexOfSeq(messages, seq)]?.seq !== seq);
}
