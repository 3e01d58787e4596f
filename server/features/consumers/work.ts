/** What a consumer does with a room's log, and how it can fail. */

/** What is done with the logs. */
export interface Work {
  readonly name: string;
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
