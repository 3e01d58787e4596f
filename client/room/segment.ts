/**
 * A part of a room's history apart from its end: around the target of a jump, contiguous, and in its latest state. It
 * grows by pages (`jump-steps.ts`), and joins `messages` where the two meet. Pure functions.
 */
import type { Message } from '../../protocol/events.ts';
import { merged } from './merge.ts';
import { ownCids, withoutCids } from './pending.ts';
import { indexOfSeq, lastSeq, type RoomState, type Segment } from './room-state.ts';

/** Back at the end of the room. */
export function atLatest({ jump }: RoomState): Pick<RoomState, 'detached' | 'jump'> {
  return { detached: null, jump: { count: jump.count + 1, target: null } };
}

/** Applies states that were heard. */
export function changedSegment(segment: Segment, fresh: readonly Message[]): Segment {
  const inside = within(segment.messages, fresh);
  return inside.length === 0 ? segment : { ...segment, messages: merged(segment.messages, inside, 0) };
}

/** Those of them that have their place between the ends of these messages. */
export function within(messages: readonly Message[], fresh: readonly Message[]): readonly Message[] {
  const [first, last] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0];
  return fresh.filter(({ seq }) => seq >= first && seq <= last);
}

/** The segment when a stream begins at this number: what changed before it was not heard. */
export function missedBy(segment: Segment | null, seq: number): Segment | null {
  return segment && { ...segment, isStale: segment.isStale || segment.seq < seq };
}

/** Joins the segment to the end of the room once they overlap. */
export function met(state: RoomState): RoomState {
  const { detached, messages, head, stream } = state;
  const [first] = messages;
  if (detached === null || first === undefined || head === null) return state;
  // The segment is in the state of the stream. `messages` may be in a later one, which skips the changes in between.
  if (detached.isStale || stream === null || stream.seq < head) return state;
  const [start, end] = [detached.messages[0]?.seq ?? 0, detached.messages.at(-1)?.seq ?? 0];
  if (end < first.seq || start > Math.max(head, lastSeq(state))) return state;
  if (start >= first.seq) return { ...state, detached: null };
  const older = detached.messages.slice(0, indexOfSeq(detached.messages, first.seq));
  const { hasOlder } = detached;
  const acked = state.acked.filter(({ seq }) => older[indexOfSeq(older, seq)]?.seq !== seq);
  const pending = withoutCids(state.pending, ownCids(older, state.me.id));
  return { ...state, detached: null, messages: older.concat(messages), hasOlder, acked, pending };
}
