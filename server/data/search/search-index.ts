/**
 * What an index of texts does. It proposes messages and never decides: what it proposes is read anew and judged by
 * `protocol/search/match.ts`, so entries that are out of date do no harm. It may not miss a text that was written into
 * it.
 *
 * It may be built anew at any time. A build goes from the newest texts back, and what is posted meanwhile is written as
 * it comes: the cursors begin at the heads of all rooms.
 *
 * One process at a time writes: the one with the lease of the consumer that keeps the index. A process that has lost the
 * lease, or whose index was emptied, is told so by its next write, which changes nothing.
 */
import type { SearchOrder } from '../../../protocol/rest/search.ts';
import type { AnyOf } from '../../../protocol/search/tokens.ts';
import type { StemLanguage } from '../../platform/stem-languages.ts';
import type { BehindRow, CursorMove, MessagePlace } from '../storage/store.ts';

/** A message as the index keeps it; `null`: nothing of it any more. */
export interface Entry {
  messageId: number;
  indexed: Indexed | null;
}

export interface RoomEntry extends Entry {
  roomId: number;
}

/** Entries of a room, and where its cursor moves with them. */
export interface RoomWrite {
  move: CursorMove;
  entries: readonly Entry[];
}

export interface Indexed {
  /** Its text, and the names and descriptions of its files. */
  texts: readonly string[];
  /** What is known of it besides (`marks.ts`). */
  marks: readonly string[];
}

export interface Proposal {
  /** All of these must hold; none: all messages of the rooms. */
  conditions: readonly AnyOf[];
  roomIds: readonly number[];
  order: SearchOrder;
  /** Only messages that come after this one in the order. */
  beyondId: number;
  limit: number;
  /** Milliseconds after which it returns what it has. */
  withinMs: number;
}

/**
 * Messages that may be found, in the order. `nextBeyondId`: the others come after this one, as the limit or the time was
 * reached; null: there are no others.
 */
export interface Proposed {
  messages: MessagePlace[];
  nextBeyondId: number | null;
}

/** How far a build has come. */
export interface BuildState {
  /** All texts from this id on are in the index; 0: all texts are. */
  fromId: number;
  /** About the time of that text (Unix milliseconds); null: all are in it, or none yet. */
  since: number | null;
}

export interface SearchIndex {
  /** Other processes may write to it, too. */
  readonly isShared: boolean;
  /**
   * Prepares the index for its consumer: one of another database, or of other words, becomes empty, with cursors at the
   * heads. `holder`: who has the lease. Returns null where no build has begun.
   */
  open(holder: string): Promise<BuildState | null>;
  /** As `open`, for those who only search; null also where there is no index yet. */
  state(): Promise<BuildState | null>;
  /** Where the consumer is in rooms that have gone on since, of the `limit` rooms after this id. */
  behind(of: { after: number; limit: number }): Promise<{ rooms: BehindRow[]; next: number | null }>;
  place(roomId: number): Promise<BehindRow | undefined>;
  /**
   * Writes a room's entries and moves its cursor, both or none. False: the cursor was elsewhere, or the index has become
   * empty since it was opened.
   */
  write(move: CursorMove, entries: readonly Entry[]): Promise<boolean>;
  /** The same for several rooms, all of them or none; those for which it says false are left out. */
  writeAll(writes: readonly RoomWrite[]): Promise<boolean[]>;
  /** Writes entries of the build, of any rooms. False: the lease is another's, or the index was emptied. */
  add(entries: readonly RoomEntry[]): Promise<boolean>;
  /** Notes how far the build has come. False: as `add`. */
  note(state: BuildState): Promise<boolean>;
  /** Resolves once it answers without a delay: a thread that was not needed for a while has to start first. */
  awake(): Promise<void>;
  propose(proposal: Proposal): Promise<Proposed>;
  /** Rooms of which it has something, by id, those after this one. */
  rooms(of: { after: number; limit: number }): Promise<number[]>;
  /** Takes out some of what it has of a room, and at last its cursor; true when there may be more. */
  forget(roomId: number): Promise<boolean>;
  /** What it takes on the disk. */
  bytes(): Promise<number>;
  /** Makes it empty, so that its consumer begins anew. */
  clear(): Promise<void>;
  close(): Promise<void>;
}

/** Where the index keeps something else of messages, it has another number, and is built anew. */
const WORDS_VERSION = 3;

/** How words are made of texts: an index of other words begins empty. */
export function wordsOf(languages: readonly StemLanguage[]): string {
  return `${WORDS_VERSION} ${[...languages].sort().join()}`;
}

/** Before all messages, in this order. */
export function beforeAll(order: SearchOrder): number {
  return order === 'newest' ? Number.MAX_SAFE_INTEGER : 0;
}
