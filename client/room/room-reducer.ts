/**
 * What one user knows of one room, as a pure reducer. Its inputs are frames, pages of history, and changes of the
 * connection and of the outbox.
 *
 * The rules that its tests quote:
 * 1. `messages` contains every message once, in the order of seq, in its latest state up to `head`. One that has
 *    changed since `head`, and was not heard of before, may be missing.
 * 2. Received states that do not follow on `head` wait in `ahead`, across connections. A gap in the stream itself is
 *    closed by a new connection.
 * 3. While `head` is null, nothing can follow on it: at first, after a reset, and in another epoch. The next page of
 *    history starts over. Messages of another epoch are dropped at once.
 * 4. An own message is shown once: as pending, as acked, or in its place.
 * 5. `users` and `online` follow opened and presence, and are unknown while there is no connection.
 * 6. Typing ends with a frame, a message, a leave or 3 s of silence. A user's own typing is never shown.
 * 7. The snapshot of an earlier visit is shown until the server responds, and never replaces what the server sent. It
 *    is a state like any other, with the connection lost since.
 * 8. A page is in the state of its own seq. Later events that have arrived since the request prevail. A page that was
 *    requested before a reset is dropped, and so is a page of another epoch that was requested before a connection
 *    opened.
 * 9. A jump leads to a detached segment, which is contiguous, in its latest state, and joins `messages` where they
 *    meet, once the stream has reached `head`.
 */
import type { Message } from '../../protocol/events.ts';
import type { FlowPage, HistoryPage } from '../../protocol/rest/messages.ts';
import type { ConnectionState } from '../connection/connection-state.ts';
import type { Frame } from '../connection/frames.ts';
import type { OutboxItem } from '../outbox/outbox-store.ts';
import { asked, landed } from './meanwhile.ts';
import { ownMessage } from './own-message.ts';
import { fromOutbox, ownCids, requeued, withoutCids, withStatus } from './pending.ts';
import { changePresence, changeTyping, withTyping } from './people.ts';
import { findQuoted, withQuoted } from './quotes.ts';
import type { RoomFrame } from './room-frame.ts';
import { onLatest, onOlder } from './room-pages.ts';
import { lastSeq, type ReadAt, type RoomSnapshot, type RoomState } from './room-state.ts';
import { ackedWith, followStream, onRestored } from './room-timeline.ts';
import { atLatest, met } from './segment.ts';
import { paused } from './stream.ts';

type Step = (state: RoomState) => RoomState;

export type RoomAction =
  | { readonly type: 'restored'; readonly snapshot: RoomSnapshot }
  | { readonly type: 'connection'; readonly state: ConnectionState }
  | { readonly type: 'latency'; readonly ms: number }
  | { readonly type: 'frame'; readonly frame: RoomFrame; readonly now: number }
  | ({ readonly type: 'latest'; readonly page: HistoryPage | FlowPage } & ReadAt)
  /** The page before the message with this id. */
  | ({ readonly type: 'older'; readonly page: HistoryPage | FlowPage; readonly beforeId: number } & ReadAt)
  /** A page other than the latest is requested. */
  | { readonly type: 'asked' }
  /** It will not come. */
  | { readonly type: 'failed' }
  /** A jump, and a page that it needs: `jump-steps.ts` has the steps. */
  | { readonly type: 'jump'; readonly step: Step }
  | { readonly type: 'jump page'; readonly page: FlowPage; readonly step: Step }
  /** Jump to the end of the room. */
  | { readonly type: 'to latest' }
  /** Messages that others answer, as they were read. */
  | { readonly type: 'quoted'; readonly messages: readonly Message[] }
  | { readonly type: 'tick'; readonly now: number }
  /** All items of the outbox for this room. */
  | { readonly type: 'outbox'; readonly items: readonly OutboxItem[] }
  /** Pending messages were written to the current connection. */
  | { readonly type: 'written'; readonly cids: ReadonlySet<string> }
  /** Drop all but the latest `keep` messages. */
  | { readonly type: 'trim'; readonly keep: number };

/** The state after the action. */
export function reduceRoom(state: RoomState, action: RoomAction): RoomState {
  const next = met(stepped(state, action));
  const isOfPage = 'page' in action && action.page.epoch === next.epoch;
  return isOfPage ? withQuoted(next, quotedBy(action.page)) : next;
}

/** A page of texts alone names none. */
function quotedBy(page: HistoryPage | FlowPage): readonly Message[] | undefined {
  return 'has_more_after' in page ? page.quoted : undefined;
}

function stepped(state: RoomState, action: RoomAction): RoomState {
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
    case 'asked':
      return asked(state);
    case 'failed':
      return landed(state).state;
    case 'jump':
    case 'jump page':
      return action.step(state);
    case 'to latest':
      return { ...state, ...atLatest(state) };
    case 'quoted':
      return withQuoted(state, action.messages);
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

function onConnection(state: RoomState, connection: ConnectionState): RoomState {
  if (connection.status === 'open') return { ...state, connection, connections: state.connections + 1 };
  return {
    ...state,
    connection,
    latencyMs: null,
    stream: paused(state.stream),
    pending: requeued(state.pending),
    online: null,
    users: [],
    typing: [],
  };
}

function onFrame(before: RoomState, frame: RoomFrame, now: number): RoomState {
  const state = followStream(before, frame);
  switch (frame.type) {
    case 'opened':
      return { ...state, room: frame.room, online: frame.online, users: frame.users };
    case 'message':
    case 'reaction':
    case 'thread':
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
    case 'presence':
      return changePresence(state, frame, {
        at: now,
        afterSeq: state.head ?? lastSeq(state),
        me: state.me.id,
      });
  }
}

function onAck(state: RoomState, { cid, id, seq, created_at }: Frame<'ack'>): RoomState {
  const entry = state.pending.find((one) => one.cid === cid);
  if (entry === undefined) return state;
  const pending = withoutCids(state.pending, new Set([cid]));
  // The message is further back than what is held, or already in its place.
  if (state.head !== null && seq <= Math.max(state.head, lastSeq(state))) return { ...state, pending };
  const { me, roomId: room_id } = state;
  const quoted = entry.replyTo === undefined ? undefined : findQuoted(state, entry.replyTo);
  const message = ownMessage({ ...entry, quoted }, { me, id, room_id, seq, created_at });
  return { ...state, ...ackedWith(state, [message]) };
}

function onError(state: RoomState, { cid, code, retryable }: Frame<'error'>): RoomState {
  if (cid === undefined) return state;
  const pending = retryable
    ? withStatus(state.pending, new Set([cid]), 'queued')
    : withStatus(state.pending, new Set([cid]), 'failed', code);
  return { ...state, pending };
}
