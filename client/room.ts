/**
 * What one member knows of one room, as a pure reducer: frames, pages of history, changes of the connection and of the
 * outbox go in, the state of the room comes out.
 *
 * The rules that its tests quote:
 * 1. `messages` have all up to `head`, in the order of seq, each once.
 * 2. What the stream brings and does not reach to `head` waits in `ahead`, over all connections. A gap in the stream itself
 *    is closed by another connection.
 * 3. While `head` is null nothing can follow on it: at first, after a reset, and in another epoch. The next page of
 *    history begins anew. What is held of another epoch is of no use, and goes at once.
 * 4. An own message is seen once: pending, or acked, or in its place.
 * 5. Who is there is what hello, join, leave and presence say, and unknown while the line is down.
 * 6. Typing ends with a frame, a message, a leave or 3 s of silence, and is never one's own.
 * 7. What was kept from an earlier visit stands until the server tells more, and never replaces what it told: it is a
 *    state like any other, with the connection lost since.
 */
import type { HistoryPage, Message, User } from '../protocol/rest.ts';
import type { Frame } from './frames.ts';
import type { OutboxItem } from './outbox-store.ts';
import { fromOutbox, notOnTheWay, ownCids, type PendingMessage, withoutCids, withStatus } from './pending.ts';
import { changePresence, changeTyping, type People, presenceChange, withTyping } from './people.ts';
import type { ConnectionState, RoomFrame } from './socket.ts';
import { hear, paused, type Stream } from './stream.ts';

export interface RoomState extends People {
  readonly roomId: number;
  /** The member whose view this is. */
  readonly me: User;
  readonly connection: ConnectionState;
  /** How many connections have opened so far. */
  readonly connections: number;
  readonly latencyMs: number | null;
  /** The name of the database's life that all this is of; null until the server has said hello. */
  readonly epoch: string | null;
  readonly messages: readonly Message[];
  /** Whether the server has told what there is. Until then, `messages` is what was kept from an earlier visit. */
  readonly loaded: boolean;
  readonly hasOlder: boolean;
  /** The seq up to which nothing is missing (after the oldest message held); null while that is not known of any. */
  readonly head: number | null;
  /** How far the connections have brought it; null until the server has said hello. */
  readonly stream: Stream | null;
  /** What the stream has brought while history does not reach to it. Not to be shown. */
  readonly ahead: readonly Message[];
  /** `ahead` has all that the stream brought after this seq. */
  readonly aheadFrom: number;
  /** Own messages that the server has stored and whose place is not reached yet: to be shown after `messages`. */
  readonly acked: readonly Message[];
  readonly pending: readonly PendingMessage[];
}

/** What is kept of a room from one visit to the next. */
export interface RoomSnapshot {
  readonly epoch: string;
  readonly head: number;
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
}

export type RoomAction =
  | { readonly type: 'restored'; readonly snapshot: RoomSnapshot }
  | { readonly type: 'connection'; readonly state: ConnectionState }
  | { readonly type: 'latency'; readonly ms: number }
  | { readonly type: 'frame'; readonly frame: RoomFrame; readonly now: number }
  | ({ readonly type: 'latest'; readonly page: HistoryPage } & ReadAt)
  /** What lies before the message with this id. */
  | ({ readonly type: 'older'; readonly page: HistoryPage; readonly beforeId: number } & ReadAt)
  | { readonly type: 'tick'; readonly now: number }
  /** All that the outbox has for this room. */
  | { readonly type: 'outbox'; readonly items: readonly OutboxItem[] }
  /** Pending messages were written to the present connection. */
  | { readonly type: 'written'; readonly cids: ReadonlySet<string> }
  /** Forget the oldest messages beyond so many. */
  | { readonly type: 'trim'; readonly keep: number };

/** What was known when a page was asked for. */
export interface ReadAt {
  /** Null: none yet. */
  readonly epoch: string | null;
  /** The page has all up to this seq, as it was asked for later: the stream's, or 0. */
  readonly upTo: number;
}

/** More than this is not held for a page that does not come: a later page has it. */
const MAX_AHEAD = 5000;

export function initialRoom(roomId: number, me: User): RoomState {
  return {
    roomId,
    me,
    connection: { status: 'connecting' },
    connections: 0,
    latencyMs: null,
    epoch: null,
    messages: [],
    loaded: false,
    hasOlder: false,
    head: null,
    stream: null,
    ahead: [],
    aheadFrom: 0,
    acked: [],
    pending: [],
    online: null,
    users: [],
    notices: [],
    typing: [],
  };
}

export function reduceRoom(state: RoomState, action: RoomAction): RoomState {
  switch (action.type) {
    case 'restored':
      return onRestored(state, action.snapshot);
    case 'connection':
      return onConnection(state, action.state);
    case 'latency':
      return { ...state, latencyMs: action.ms };
    case 'frame':
      return onFrame(state, action.frame, action.now);
    case 'latest':
      return onLatest(state, action.page, action);
    case 'older':
      return onOlder(state, action.page, action.beforeId, action);
    case 'tick':
      return withTyping(
        state,
        state.typing.filter((typist) => typist.expiresAt > action.now),
      );
    case 'outbox': {
      if (action.items.length === 0 && state.pending.length === 0) return state;
      const seen = ownCids([...state.messages, ...state.acked], state.me.id);
      return { ...state, pending: withoutCids(fromOutbox(action.items, state.pending), seen) };
    }
    case 'written':
      return { ...state, pending: withStatus(state.pending, action.cids, 'sent') };
    case 'trim':
      if (state.messages.length <= action.keep) return state;
      return { ...state, messages: state.messages.slice(-action.keep), hasOlder: true };
  }
}

/** All is there, and what is said arrives as it is said. */
export function isLive(state: RoomState): boolean {
  return state.connection.status === 'open' && state.stream?.phase === 'live' && missing(state) === null;
}

/**
 * What must be asked for: `history`, its end; or `resume`, another connection that sends what this one left out. Null
 * when nothing is missing or the connection is about to send it.
 */
export function missing({ connection, stream, head, aheadFrom }: RoomState): 'history' | 'resume' | null {
  if (connection.status !== 'open' || stream === null || stream.phase === 'behind') return null;
  if (stream.phase === 'broken') return 'resume';
  return head === null || head < aheadFrom ? 'history' : null;
}

/** What is known of a page that is asked for now. Without a line nobody knows whether it is of the same life. */
export function readAt({ epoch, stream }: RoomState): ReadAt {
  return { epoch, upTo: stream?.phase === 'live' ? stream.seq : 0 };
}

/** Where the first message with this seq or a higher one stands in messages that ascend by seq. */
export function indexOfSeq(messages: readonly Message[], seq: number): number {
  let from = 0;
  let to = messages.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((messages[middle]?.seq ?? 0) < seq) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The seq of the newest message held, 0 when there is none. */
export function lastSeq(state: RoomState): number {
  return state.messages.at(-1)?.seq ?? 0;
}

/** The end of a room, at most so many messages, to be kept; null while it is not known what it belongs to. */
export function snapshotOf(state: RoomState, keep: number): RoomSnapshot | null {
  const { epoch, head, messages, hasOlder } = state;
  if (epoch === null || head === null) return null;
  return { epoch, head, messages: messages.slice(-keep), hasOlder: hasOlder || messages.length > keep };
}

function onRestored(state: RoomState, { epoch, head, messages, hasOlder }: RoomSnapshot): RoomState {
  const isOverdue = state.loaded || state.head !== null || (state.epoch !== null && state.epoch !== epoch);
  if (isOverdue) return state;
  const pending = withoutCids(state.pending, ownCids(messages, state.me.id));
  const acked = withoutReached(state.acked, head);
  const restored = { ...state, epoch, head, messages, hasOlder, pending, acked };
  // A connection that was made before goes on from elsewhere.
  if (state.stream !== null || state.connection.status === 'open') return joined(restored);
  return { ...restored, stream: { epoch, seq: head, phase: 'behind' }, aheadFrom: head };
}

function onConnection(state: RoomState, connection: ConnectionState): RoomState {
  if (connection.status === 'open') return { ...state, connection, connections: state.connections + 1 };
  return {
    ...state,
    connection,
    latencyMs: null,
    stream: paused(state.stream),
    pending: notOnTheWay(state.pending),
    online: null,
    users: [],
    typing: [],
  };
}

function onFrame(before: RoomState, frame: RoomFrame, now: number): RoomState {
  const state = followStream(before, frame);
  switch (frame.type) {
    case 'hello':
      return { ...state, online: frame.online, users: frame.users };
    case 'message':
    case 'batch':
    case 'sync':
    case 'reset':
      return state;
    case 'ack':
      return onAck(state, frame);
    case 'error':
      return onError(state, frame);
    case 'typing':
      return frame.user_id === state.me.id ? state : changeTyping(state, frame, now);
    case 'join':
    case 'leave':
    case 'presence':
      return changePresence(state, presenceChange(frame), {
        at: now,
        afterSeq: state.head ?? lastSeq(state),
        me: state.me.id,
      });
  }
}

function followStream(state: RoomState, frame: RoomFrame): RoomState {
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

function ackedWith({ acked, pending, me }: RoomState, fresh: readonly Message[]): Partial<RoomState> {
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

function onLatest(state: RoomState, page: HistoryPage, { epoch, upTo }: ReadAt): RoomState {
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

/** What the connection has brought is not in a page that was asked for later: only another one tells whose life that is. */
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

function onOlder(state: RoomState, page: HistoryPage, beforeId: number, { epoch }: ReadAt): RoomState {
  const oldest = state.messages[0];
  // It was asked for before what is held was replaced or forgotten.
  if (oldest?.id !== beforeId || isOfAnother(state, epoch)) return state;
  return {
    ...state,
    messages: page.messages.concat(state.messages),
    hasOlder: page.has_more,
    pending: withoutCids(state.pending, ownCids(page.messages, state.me.id)),
  };
}

function onAck(state: RoomState, { cid, id, seq, created_at }: Frame<'ack'>): RoomState {
  const entry = state.pending.find((one) => one.cid === cid);
  if (entry === undefined) return state;
  const pending = withoutCids(state.pending, new Set([cid]));
  // A repeat of what is further back than what is held, or already in its place.
  if (state.head !== null && seq <= state.head) return { ...state, pending };
  const { id: user_id, username } = state.me;
  const { roomId: room_id } = state;
  const message: Message = {
    type: 'message',
    id,
    room_id,
    user_id,
    username,
    content: entry.content,
    created_at,
    seq,
    cid,
  };
  return { ...state, ...ackedWith(state, [message]) };
}

function onError(state: RoomState, { cid, code, retryable }: Frame<'error'>): RoomState {
  if (cid === undefined) return state;
  const pending = retryable
    ? withStatus(state.pending, new Set([cid]), 'queued')
    : withStatus(state.pending, new Set([cid]), 'failed', code);
  return { ...state, pending };
}
