/**
 * What an index of texts does. It proposes messages and never decides: what it proposes is read anew and judged by
 * `protocol/search/match.ts`, so entries that are out of date do no harm. It may not miss a text that was written into it.
 */
import type { AnyOf } from '../../../protocol/search/tokens.ts';

/** What the index keeps of a message; null: nothing any more. */
export interface Entry {
  messageId: number;
  tokens: ReadonlySet<string> | null;
}

/** A room's log is in the index up to `seq`. */
export interface Place {
  roomId: number;
  seq: number;
}

export interface Proposal {
  /** All of these must hold; none: all messages. */
  conditions: readonly AnyOf[];
  /** Undefined: any room. */
  roomIds?: readonly number[];
  /** Only messages before this one. */
  beforeId: number;
  limit: number;
}

/** The ids of proposed messages, the newest first, and whether there are no more. */
export interface Proposed {
  ids: number[];
  isComplete: boolean;
}
