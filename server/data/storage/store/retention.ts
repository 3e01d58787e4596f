/** What the operator no longer wants to keep, piece by piece: others write between two pieces. */
import type { MessageRow } from '../../../rules/rows.ts';

/** A run of several pieces has one row of the audit log, which each of them brings up to date. */
export interface PruneRun {
  /** Null: this is its first piece. */
  auditId: number | null;
  /** The time before which the texts were written. */
  before: number;
  /** What the pieces before have deleted. */
  messages: number;
  /** With this one. */
  rooms: number;
}

export interface RetentionWrites {
  /**
   * Deletes these texts of a room as their moderator would; nobody is named as the one who did. Of those that are more
   * than 90 days old, deleted before or now, the cid is forgotten. Returns the messages that changed, in the order of
   * their numbers, and the row of the audit log.
   */
  pruneTexts(prune: {
    roomId: number;
    messageIds: readonly number[];
    /** The audit log says what this run has deleted up to now. Undefined: it says nothing. */
    run?: PruneRun;
    now: number;
  }): { changed: MessageRow[]; auditId: number | null };
  /**
   * Deletes the oldest files of a room's messages that were uploaded before that time, at most `limit`; a message that has
   * nothing else goes with them. `run`: as that of texts, with what the pieces before have deleted. Returns how many, and
   * the messages that changed, in the order of their numbers.
   */
  pruneFiles(prune: {
    roomId: number;
    before: number;
    limit: number;
    run: { auditId: number | null; files: number };
    now: number;
  }): { files: number; changed: MessageRow[]; auditId: number | null };
  /** Deletes the oldest rows of the audit log, at most `limit`; how many. */
  pruneAudit(prune: { before: number; limit: number; isFirst: boolean; now: number }): number;
}

export interface RetentionReads {
  /** The ids of all rooms, in ascending order. */
  roomIds(of: { after: number; limit: number }): number[];
  /** The rooms that keep files for a while only. */
  roomsLosingFiles(): { roomId: number; days: number }[];
  /** What is to be deleted among the next `limit` messages of a room that are older than `before`. */
  oldTexts(of: {
    roomId: number;
    afterSeq: number;
    before: number;
    /** Only texts of this user. */
    userId?: number | undefined;
    limit: number;
    now: number;
  }): {
    /** Texts that are not deleted. */
    messageIds: number[];
    /** Deleted texts whose cid is still there and may be forgotten. */
    cidIds: number[];
    /** Where the next piece begins; undefined: there is nothing old beyond. */
    reached: number | undefined;
    /** Once these are deleted and forgotten, nothing up to this number ever has to be looked at again. */
    settled: number;
  };
}
