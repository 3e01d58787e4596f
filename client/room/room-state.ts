/** What is known of a room, and what can be read from that. */
import type { Message } from '../../protocol/events.ts';
import type { User } from '../../protocol/rest.ts';
import type { ConnectionState } from '../connection/socket.ts';
import type { PendingMessage } from './pending.ts';
import type { People } from './people.ts';
import type { Stream } from './stream.ts';

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

/** What was known when a page was asked for. */
export interface ReadAt {
  /** Null: none yet. */
  readonly epoch: string | null;
  /** The page has all up to this seq, as it was asked for later: the stream's, or 0. */
  readonly upTo: number;
}

/** Nothing is known yet. */
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
export function lastSeq(state: Pick<RoomState, 'messages'>): number {
  return state.messages.at(-1)?.seq ?? 0;
}

/** The end of a room, at most so many messages, to be kept; null while it is not known what it belongs to. */
export function snapshotOf(state: RoomState, keep: number): RoomSnapshot | null {
  const { epoch, head, messages, hasOlder } = state;
  if (epoch === null || head === null) return null;
  return { epoch, head, messages: messages.slice(-keep), hasOlder: hasOlder || messages.length > keep };
}
