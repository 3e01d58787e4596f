/** One thread as a small timeline of its own: the root and its replies, from pages and from the room's log. Pure. */
import type { Message } from '../../protocol/events.ts';
import type { ThreadPage } from '../../protocol/rest/threads.ts';
import { withDeltas } from './deltas.ts';
import type { LogNews } from './room-listeners.ts';
import { placeOf } from './stream.ts';

/** Everything that is known of a thread. Immutable. */
export interface ThreadState {
  readonly threadId: number;
  /** Null until the first page has come. */
  readonly root: Message | null;
  /** The replies that are held, ascending, without gaps, in their latest state up to `seq` of the room's log. */
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly seq: number;
  readonly epoch: string;
  readonly following: boolean;
  /** Up to this number the user has read the thread. */
  readonly readSeq: number;
}

/** The state after the latest page, with what the log has brought since it was requested. */
export function loadedThread(page: ThreadPage, heard: readonly LogNews[]): ThreadState {
  const start: ThreadState = {
    threadId: page.root.id,
    ...{
      root: page.root,
      messages: page.messages,
      hasOlder: page.has_more,
      seq: page.seq,
      epoch: page.epoch,
    },
    following: page.me.following,
    readSeq: page.me.read_seq,
  };
  return heard.reduce(withNews, start);
}

/** Whether the news follow on the state. Otherwise something is missing, and the thread must be loaded again. */
export function follows({ seq }: ThreadState, { after }: LogNews): boolean {
  return after <= seq;
}

/** The state after the news; of what it has already, nothing changes. */
export function withNews(state: ThreadState, { upTo, states, delta }: LogNews): ThreadState {
  const { threadId } = state;
  const own = states.filter((message) => message.thread_id === threadId || message.id === threadId);
  const seq = Math.max(state.seq, upTo);
  const next = own.reduce(withMessage, seq === state.seq ? state : { ...state, seq });
  if (delta === null) return next;
  const [root = null] = next.root === null ? [] : withDeltas([next.root], [delta]);
  const messages = withDeltas(next.messages, [delta]);
  return root === next.root && messages === next.messages ? next : { ...next, root, messages };
}

/** The state after the user has followed the thread, left it, or read it, on any device. */
export function withOwnMark(
  state: ThreadState,
  { following, read_seq }: { readonly following: boolean; readonly read_seq: number },
): ThreadState {
  const readSeq = Math.max(state.readSeq, read_seq);
  if (following === state.following && readSeq === state.readSeq) return state;
  return { ...state, following, readSeq };
}

/** Puts a message in by its place; the later state of each prevails. */
export function withMessage(state: ThreadState, message: Message): ThreadState {
  const { root, messages, hasOlder, threadId } = state;
  if (message.id === threadId) {
    return root !== null && placeOf(message) <= placeOf(root) ? state : { ...state, root: message };
  }
  const there = messages.find(({ id }) => id === message.id);
  if (there !== undefined) {
    if (placeOf(message) < placeOf(there)) return state;
    return { ...state, messages: messages.map((held) => (held === there ? message : held)) };
  }
  // What is before the first reply comes with its page.
  const [first] = messages;
  if (hasOlder && first !== undefined && message.seq < first.seq) return state;
  const later = messages.findIndex(({ seq }) => seq > message.seq);
  const at = later < 0 ? messages.length : later;
  return { ...state, messages: [...messages.slice(0, at), message, ...messages.slice(at)] };
}

/**
 * The state with the page before its first reply, and with what the log has brought since it was requested. The same
 * state when something was skipped in between.
 */
export function withOlder(
  state: ThreadState,
  page: ThreadPage,
  beforeId: number,
  heard: readonly LogNews[],
): ThreadState {
  if (state.messages[0]?.id !== beforeId || page.epoch !== state.epoch) return state;
  const later = heard.filter(({ upTo }) => upTo > page.seq);
  if (later[0] !== undefined && later[0].after > page.seq) return state;
  const messages = page.messages.concat(state.messages);
  return later.reduce(withNews, { ...state, messages, hasOlder: page.has_more });
}
