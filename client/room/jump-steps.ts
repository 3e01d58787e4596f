/** What a jump and its pages make of a room's state. Pure functions, which the first jump loads. */
import type { FlowPage } from '../../protocol/rest/messages.ts';
import { withDeltas } from './deltas.ts';
import { broken, landed } from './meanwhile.ts';
import { merged } from './merge.ts';
import {
  indexOfSeq,
  type Jump,
  type ReadAt,
  type RoomState,
  type Segment,
  type Target,
} from './room-state.ts';
import { atLatest, within } from './segment.ts';

export type Direction = 'older' | 'newer';

/** A segment is not kept longer than this. What lies farther from the direction of reading is dropped. */
const MAX_MESSAGES = 2000;

/** Leads to a message that is held; the same state when it is not. */
export function jumpedTo(state: RoomState, id: number): RoomState {
  const held = [...(state.detached?.messages ?? []), ...state.messages].find((message) => message.id === id);
  if (held === undefined) return state;
  const isLive = state.messages[indexOfSeq(state.messages, held.seq)]?.id === id;
  return { ...state, ...(isLive && { detached: null }), jump: led(state, held) };
}

function led({ jump }: RoomState, { id, seq }: Target, replyId?: number): Jump {
  return { count: jump.count + 1, target: { id, seq, ...(replyId !== undefined && { replyId }) } };
}

/**
 * Applies a page around a place. `isAgain`: in place of the segment that has become stale. The same segment remains
 * when the page is of another time or database: see `missedBy`.
 */
export function onAround(
  before: RoomState,
  page: FlowPage,
  { resets, isAgain }: ReadAt & { isAgain: boolean },
): RoomState {
  const { state, heard } = landed(before);
  if (resets !== state.resets) return state;
  if (state.epoch !== null && page.epoch !== state.epoch) return broken(state);
  // What came between the page and the beginning of the stream is not known.
  if (page.seq < state.aheadFrom) return state;
  const { id, thread_id: threadId } = page.target ?? {};
  // A reply is not of the flow, which has its root.
  const target = page.messages.find((message) => message.id === (threadId ?? id));
  if (target === undefined) return { ...state, ...atLatest(state) };
  const replyId = threadId === undefined ? undefined : id;
  const messages = withDeltas(merged(page.messages, within(page.messages, heard), 0), state.deltas);
  const detached = { messages, hasOlder: page.has_more, seq: page.seq, isStale: false };
  return { ...state, epoch: page.epoch, detached, jump: isAgain ? state.jump : led(state, target, replyId) };
}

/** Applies the page before or after the segment, which was requested at this message. */
export function onDetachedPage(
  before: RoomState,
  page: FlowPage,
  { direction, cursor, resets }: { direction: Direction; cursor: number } & ReadAt,
): RoomState {
  const { state, heard } = landed(before);
  const { detached } = state;
  if (detached === null || cursorOf(detached, direction) !== cursor || resets !== state.resets) return state;
  if (page.epoch !== state.epoch) return broken(state);
  // The segment was read again since the request, and what came between this page and the stream is not known.
  if (page.seq < state.aheadFrom) return state;
  const fresh = withDeltas(merged(page.messages, within(page.messages, heard), 0), state.deltas);
  if (direction === 'older') {
    const messages = fresh.concat(detached.messages).slice(0, MAX_MESSAGES);
    return { ...state, detached: { ...detached, messages, hasOlder: page.has_more } };
  }
  const all = detached.messages.concat(fresh);
  const messages = all.slice(-MAX_MESSAGES);
  const hasOlder = detached.hasOlder || messages.length < all.length;
  return { ...state, detached: { ...detached, messages, hasOlder } };
}

/** The message that a page in that direction is requested at. */
export function cursorOf({ messages }: Segment, direction: Direction): number | undefined {
  return messages.at(direction === 'older' ? 0 : -1)?.id;
}
