import type { RoomState } from '../../../../client/index.ts';

/** What the timeline shows: the part of the room that a jump has led to, or its end. */
export function shownState(state: RoomState): RoomState {
  const { detached } = state;
  if (detached === null) return state;
  const { messages, hasOlder } = detached;
  return { ...state, messages, hasOlder, loaded: true, acked: [], pending: [], notices: [] };
}
