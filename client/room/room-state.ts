/** What is known of a room, and functions that read it. */
import type { Message } from '../../protocol/events.ts';
import type { User } from '../../protocol/rest/accounts.ts';
import type { Room as RoomInfo } from '../../protocol/rooms.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import type { Delta } from './deltas.ts';
import type { PendingMessage } from './pending.ts';
import type { People } from './people.ts';
import type { Stream } from './stream.ts';

/** Everything that is known of a room. Immutable. */
export interface RoomState extends People {
  readonly roomId: number;
  /** The signed-in user. */
  readonly me: User;
  readonly connection: ConnectionState;
  /** The number of connections that have opened so far. */
  readonly connections: number;
  /** The round-trip time of the last ping; null without a connection. */
  readonly latencyMs: number | null;
  /** The room itself; null until the server has described it. */
  readonly room: RoomInfo | null;
  /** The epoch of the database that this state belongs to; null until the server has named it. */
  readonly epoch: string | null;
  /**
   * Texts and notices, ascending by seq. None is missing after the oldest; numbers are, as changes have numbers, too.
   * One that has changed since `head`, and was not heard of before, may be missing: it comes in the place of its latest
   * change.
   */
  readonly messages: readonly Message[];
  /** Whether history was read from the server. Until then, `messages` is the snapshot of an earlier visit, if any. */
  readonly loaded: boolean;
  /** Whether `loadOlder` has more to read. */
  readonly hasOlder: boolean;
  /** `messages` are in the state of this number of the log, or a later one; null while that is unknown. */
  readonly head: number | null;
  /** How far the connections have delivered; null until the room was first opened. */
  readonly stream: Stream | null;
  /** Received messages that do not follow on `messages` yet. Do not show them. */
  readonly ahead: readonly Message[];
  /** `ahead` holds everything that was received after this number. */
  readonly aheadFrom: number;
  /**
   * Reactions and changes of threads that were received since `aheadFrom`, or since a page was requested: the messages
   * of a page may lack them. Ascending by `changed_seq`; empty while no page is needed.
   */
  readonly deltas: readonly Delta[];
  /** Messages that others answer and that are in neither list, as they are now: `findQuoted`. */
  readonly quoted: ReadonlyMap<number, Message>;
  /** How often the state has started over. A page that was requested before is dropped. */
  readonly resets: number;
  /** What has changed while pages are on their way; `reads`: how many. Null: none is. */
  readonly meanwhile: { readonly reads: number; readonly states: readonly Message[] } | null;
  /** The part of the history that a jump has led to, apart from `messages`; null: there is none. Show it instead. */
  readonly detached: Segment | null;
  /** The last jump: a view of the room begins anew with each. */
  readonly jump: Jump;
  /** Own messages that the server has stored, but whose place is not reached yet. Show them after `messages`. */
  readonly acked: readonly Message[];
  /** Own messages that the server has not confirmed. Show them last. */
  readonly pending: readonly PendingMessage[];
}

/** A detached part. There is always more after it: otherwise it has joined the end of the room. */
export interface Segment {
  /** Ascending by seq; none is missing in between. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  /** The head of the room when its first page was read. */
  readonly seq: number;
  /** Changes may have been missed: it has to be read again. */
  readonly isStale: boolean;
}

/** Where a jump has led. */
export interface Target {
  readonly id: number;
  readonly seq: number;
  /** The jump was to this reply: `id` is the root of its thread. */
  readonly replyId?: number;
}

/** `count`: how many jumps there were. `target`: where the last one led; null: to the end of the room. */
export interface Jump {
  readonly count: number;
  readonly target: Target | null;
}

/** The part of a room's state that is saved for the next visit. */
export interface RoomSnapshot {
  readonly epoch: string;
  readonly head: number;
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
}

/** What was known when a page of history was requested. */
export interface ReadAt {
  readonly resets: number;
  readonly connections: number;
}

/** The state in which nothing is known. */
export function initialRoom(roomId: number, me: User): RoomState {
  return {
    roomId,
    me,
    connection: { status: 'connecting' },
    connections: 0,
    latencyMs: null,
    room: null,
    epoch: null,
    messages: [],
    loaded: false,
    hasOlder: false,
    head: null,
    stream: null,
    ahead: [],
    aheadFrom: 0,
    deltas: [],
    quoted: new Map(),
    resets: 0,
    meanwhile: null,
    detached: null,
    jump: { count: 0, target: null },
    acked: [],
    pending: [],
    online: null,
    users: [],
    notices: [],
    typing: [],
  };
}

/** Whether nothing is missing and new messages arrive live. */
export function isLive(state: RoomState): boolean {
  return state.connection.status === 'open' && state.stream?.phase === 'live' && missing(state) === null;
}

/**
 * What has to be requested: `history`, the latest page; or `resume`, a new connection that sends what this one left
 * out. Null when nothing is missing, or the connection is about to send it.
 */
export function missing({ connection, stream, head, aheadFrom }: RoomState): 'history' | 'resume' | null {
  if (connection.status !== 'open' || stream === null || stream.phase === 'behind') return null;
  if (stream.phase === 'broken') return 'resume';
  return head === null || head < aheadFrom ? 'history' : null;
}

/** What is known of a page that is requested now. */
export function readAt({ resets, connections }: RoomState): ReadAt {
  return { resets, connections };
}

/** The index of the first message with this seq or a higher one. `messages` ascend by seq. */
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
export function lastSeq(state: Pick<RoomState, 'messages'>): number {
  return state.messages.at(-1)?.seq ?? 0;
}

/** A snapshot of the latest `keep` messages, for `restore`; null while the room's epoch or head is unknown. */
export function snapshotOf(state: RoomState, keep: number): RoomSnapshot | null {
  const { epoch, head, messages, hasOlder } = state;
  if (epoch === null || head === null) return null;
  return { epoch, head, messages: messages.slice(-keep), hasOlder: hasOlder || messages.length > keep };
}
