/**
 * Consumers of the rooms' logs, each with a cursor in every room. Their effects are personal commands, which wait for no
 * room and in no lane, and at most 200 rows each, so that no message waits behind one.
 */
import type { MessageRow } from '../../../rules/rows.ts';

/** Where a consumer is in a room, and where the room's log ends. */
export interface BehindRow {
  roomId: number;
  at: number;
  head: number;
}

/** What happened in a room after a number, in one snapshot. */
export interface RoomNews {
  /** Everything up to this number is in the page, as far as it was asked for. */
  upTo: number;
  head: number;
  /** Texts and notices that are new, by `seq`, in their present state. */
  texts: MessageRow[];
  /** Texts from before that have changed, by `changedSeq`. */
  changes: MessageRow[];
}

/** `from`: where the consumer takes its cursor to be; a consumer that has lost its lease may be wrong about it. */
export interface CursorMove {
  roomId: number;
  from: number;
  to: number;
}

export interface ConsumerWrites {
  /**
   * Takes the lease of a consumer, or keeps it, until `until`; a lease that ends at once is given back. False: another
   * holder has it. `isAlone`: no other process uses this database, so any other holder is dead. A consumer that has
   * never run begins at the heads of all rooms.
   */
  leaseConsumer(lease: {
    name: string;
    holder: string;
    now: number;
    until: number;
    isAlone: boolean;
  }): boolean;
  /** At most 200 rooms. Returns those whose cursor was not at `from`; they have not moved. */
  moveConsumer(of: { name: string; moves: readonly CursorMove[] }): number[];
}

export interface ConsumerReads {
  /** Rooms that have gone on since the consumer's cursor, of the `limit` rooms after this id. */
  consumerBehind(of: { name: string; after: number; limit: number }): {
    rooms: BehindRow[];
    next: number | null;
  };
  /** Where the consumer is in one room. Undefined when there is no such room. */
  consumerPlace(of: { name: string; roomId: number }): BehindRow | undefined;
  /** At most `limit` new texts. Without `withPlain`, only the texts that are more than plain. */
  roomNews(of: { roomId: number; after: number; limit: number; withPlain: boolean }): RoomNews | undefined;
}
