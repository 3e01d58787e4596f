import { useReducer } from 'react';
import { useOwnRooms } from '../stores/own-rooms.ts';

interface Silence {
  readonly isMuted: boolean;
  /** RFC 3339; empty: a moderator has not muted the user. */
  readonly until: string;
  /** The time may be over: looks again. */
  readonly look: () => void;
}

/** Whether a moderator has muted the user in this room. */
export function useSilence(roomId: number): Silence {
  const until = useOwnRooms(({ rooms }) => rooms.get(roomId)?.me.silenced_until) ?? '';
  const [, look] = useReducer((n: number) => n + 1, 0);
  return { isMuted: Date.parse(until) > Date.now(), until, look };
}
