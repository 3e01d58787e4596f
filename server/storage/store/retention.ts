/** What the operator no longer wants to keep, piece by piece: others write between two pieces. */
import type { MessageRow } from './messages.ts';

export interface RetentionWrites {
  /**
   * Deletes these texts of a room as their moderator would; nobody is named as the one who did. `isFirst`: the audit log
   * gets its row. Returns the messages that changed, in the order of their numbers.
   */
  pruneTexts(prune: {
    roomId: number;
    messageIds: readonly number[];
    /** The time before which they were written: for the audit log. */
    before: number;
    isFirst: boolean;
    now: number;
  }): MessageRow[];
  /** Deletes the oldest rows of the audit log, at most `limit`; how many. */
  pruneAudit(prune: { before: number; limit: number; isFirst: boolean; now: number }): number;
}

export interface RetentionReads {
  /**
   * The texts among the next `limit` messages of a room that are older than `before` and not deleted; `userId`: only those of
   * this user. `reached`: where the next piece begins; undefined: there is nothing old beyond.
   */
  oldTexts(of: {
    roomId: number;
    afterSeq: number;
    before: number;
    userId?: number | undefined;
    limit: number;
  }): {
    messageIds: number[];
    reached: number | undefined;
  };
}
