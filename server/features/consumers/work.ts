/** What a consumer does with a room's log, where its cursors are, and how it can fail. */
import type { BehindRow, CursorMove, Store } from '../../data/storage/store.ts';

/** What is done with the logs. */
export interface Work {
  readonly name: string;
  /** The least time from the start of one run to the start of the next. The first news after a pause waits 0.1 s. */
  readonly everyMs?: number;
  /** The rooms of one run are spread over this time, so that the database can serve others in between. */
  readonly spreadMs?: number;
  /** How many rooms are handled at once; one by default. */
  readonly roomsAtOnce?: number;
  /**
   * Handles some of what happened after `at` in the room, and returns the number up to which it has come, and where the
   * cursor is stored by now. Throws `LostCursor` when another process has moved the cursor.
   */
  consume(room: { roomId: number; at: number; stored: number }): Promise<Progress>;
  /** Whether a plain text, whose row was announced, needs nothing; then the log is not read. */
  isIdle?(roomId: number): boolean;
  /** The lease was taken. */
  begin?(): void;
  /** The lease was lost, or the consumer stops. */
  end?(): Promise<void> | void;
}

export interface Progress {
  at: number;
  stored: number;
  head: number;
}

/** Where a consumer is in the rooms' logs, and which process runs it. */
export interface Cursors {
  /** Rooms that have gone on since, of the `limit` rooms after this id. */
  behind(of: { after: number; limit: number }): Promise<{ rooms: BehindRow[]; next: number | null }>;
  /** Undefined: there is no such room. */
  place(roomId: number): Promise<BehindRow | undefined>;
  /** Returns the rooms whose cursor was elsewhere. */
  move(moves: readonly CursorMove[]): Promise<number[]>;
  /** Takes the lease or keeps it. `isAlone`: no other process uses the database. */
  lease(of: { holder: string; now: number; until: number; isAlone: boolean }): Promise<boolean>;
  /** Gives the lease back, if this holder has it. */
  release(of: { holder: string; now: number }): Promise<void>;
}

/** Where several processes use the database: how soon another one may go on, and how often the one that runs says so. */
export interface Lease {
  heldMs: number;
  renewMs: number;
}

/** Cursors in the store: a new consumer begins at the heads of all rooms. */
export function storeCursors(store: Store, name: string): Cursors {
  return {
    behind: (of) => store.consumerBehind({ name, ...of }),
    place: (roomId) => store.consumerPlace({ name, roomId }),
    move: (moves) => store.moveConsumer({ name, moves }),
    lease: (of) => store.leaseConsumer({ name, ...of }),
    release: (of) => releaseIn(store, name, of),
  };
}

/** Gives a lease of the store back. */
export async function releaseIn(
  store: Pick<Store, 'leaseConsumer'>,
  name: string,
  { holder, now }: { holder: string; now: number },
): Promise<void> {
  await store.leaseConsumer({ name, holder, now, until: now - 1, isAlone: false });
}

/** Another process has the cursor. */
export class LostCursor extends Error {}

/** The message at which the work has failed, for the log. */
export class FailedAt extends Error {
  readonly seq: number;

  constructor(seq: number, cause: unknown) {
    super(`the message ${seq} of the room`, { cause });
    this.seq = seq;
  }
}

/** How a consumer keeps up. */
export interface Backlog {
  roomsBehind: number;
  lagMs: number;
  hasLease: boolean;
}
