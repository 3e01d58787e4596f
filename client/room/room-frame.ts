import type { Frame } from '../connection/frames.ts';

/** The database that a connection belongs to: `hello` names it, once for all rooms. */
interface OfDatabase {
  readonly epoch: string;
}

/** What a connection brings to one room. */
export type RoomFrame =
  | (Frame<'opened'> & OfDatabase)
  | (Frame<'reset'> & OfDatabase)
  | Frame<'message' | 'reaction' | 'thread' | 'batch' | 'sync' | 'typing' | 'presence' | 'ack' | 'error'>;
