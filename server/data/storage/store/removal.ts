/** Removing an account. What the person said stays under a name that says so, or is deleted piece by piece. */
import type { MessageRow } from '../../../rules/rows.ts';
import type { AccountChange, AdminRefusal } from './administration.ts';
import type { UserChange } from './user-change.ts';

export interface RemovalWrites {
  /**
   * Ends every session and membership, and forgets all that is the person's own: name, profile, password, settings,
   * bookmarks, inbox, blocks. A room whose last owner the person was gets another one. `deletesTexts`: `textsToDelete`
   * names the account until `textsDeleted` is called. Removing an account that is removed already only adds that.
   */
  removeUser(of: {
    actorId: number | null;
    userId: number;
    deletesTexts: boolean;
    reason: string;
    now: number;
  }):
    | (Extract<AccountChange, { outcome: 'changed' }> & { notices: MessageRow[]; changes: UserChange[] })
    | Extract<AccountChange, { outcome: 'unchanged' }>
    | AdminRefusal;
  textsDeleted(userId: number): void;
}

export interface RemovalReads {
  /** Removed accounts whose texts are to be deleted, with the rooms where they may be. */
  textsToDelete(): { userId: number; roomIds: number[] }[];
}
