import { lastSeq, type RoomState } from '../../../client/index.ts';

/** The number that a reader who sees the end of a room has read: changes have numbers after the last message's. */
export function endOf(state: Pick<RoomState, 'messages' | 'head'>): number {
  return Math.max(state.head ?? 0, lastSeq(state));
}
