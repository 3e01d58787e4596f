/** What happens while a page of history is on its way. Pure functions. */
import type { Message } from '../../protocol/events.ts';
import type { RoomState } from './room-state.ts';

/** A page is requested. What changes until it arrives is kept, as the page may not have it. */
export function asked(state: RoomState): RoomState {
  const { reads, states } = state.meanwhile ?? { reads: 0, states: [] };
  return { ...state, meanwhile: { reads: reads + 1, states } };
}

/** A requested page has arrived, or will not. `heard`: what has changed since the first of the requests under way. */
export function landed(state: RoomState): { state: RoomState; heard: readonly Message[] } {
  const { reads, states } = state.meanwhile ?? { reads: 1, states: [] };
  return { state: { ...state, meanwhile: reads > 1 ? { reads: reads - 1, states } : null }, heard: states };
}

/** Pages are still on their way, and what was heard belongs to an earlier stream. */
export function unheard(meanwhile: RoomState['meanwhile']): RoomState['meanwhile'] {
  return meanwhile && { ...meanwhile, states: [] };
}

/** The page is of another database. The hello of a new connection names it. */
export function broken(state: RoomState): RoomState {
  return { ...state, stream: state.stream && { ...state.stream, phase: 'broken' } };
}
