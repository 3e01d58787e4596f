/** The messages that others answer and that are not held. Pure functions. */
import type { Message } from '../../protocol/events.ts';
import { type Delta, withDeltas } from './deltas.ts';
import type { RoomState } from './room-state.ts';
import { placeOf } from './stream.ts';

/** Beyond this, the oldest are forgotten, and read again where they are shown. */
const MAX_QUOTED = 1000;

/** The state with these messages, each in its latest state. */
export function withQuoted(state: RoomState, messages: readonly Message[] = []): RoomState {
  if (messages.length === 0) return state;
  const quoted = new Map(state.quoted);
  for (const message of messages) {
    const before = quoted.get(message.id);
    if (before === undefined || placeOf(message) > placeOf(before)) quoted.set(message.id, message);
  }
  for (const oldest of quoted.keys()) {
    if (quoted.size <= MAX_QUOTED) break;
    quoted.delete(oldest);
  }
  return { ...state, quoted };
}

/** The state after what the stream has brought. */
export function changedQuotes(state: RoomState, states: readonly Message[], delta: Delta | null): RoomState {
  const { quoted } = state;
  if (quoted.size === 0) return state;
  const before = delta === null ? undefined : quoted.get(delta.id);
  const changed = before === undefined || delta === null ? [] : withDeltas([before], [delta]);
  return withQuoted(state, [...states.filter(({ id }) => quoted.has(id)), ...changed]);
}

/** A message as it is now, wherever it is held; undefined: it is not held and must be read. */
export function findQuoted(state: RoomState, id: number): Message | undefined {
  const isIt = (message: Message) => message.id === id;
  return state.messages.find(isIt) ?? state.detached?.messages.find(isIt) ?? state.quoted.get(id);
}
