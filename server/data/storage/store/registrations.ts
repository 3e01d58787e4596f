/** From which address accounts were made, for a week, and the end of a flood of them. */
import type { MessageRow } from '../../../rules/rows.ts';
import type { AccountChange, AdminRefusal } from './administration.ts';
import type { UserChange } from './user-change.ts';

/** Accounts that were registered from `since` to `until`, both included. */
export interface Flood {
  since: number;
  until: number;
  /** As limits count it. Undefined: any. */
  address?: string | undefined;
  /** `remove`: for good, with all texts; also those that are suspended already. */
  act: 'suspend' | 'remove';
  /** Accounts that are left alone, beside admins and those who moderate rooms of others. */
  keep: readonly number[];
}

/** All accounts of one act have one row of the audit log, which each of them brings up to date. */
export interface FloodRun {
  /** Null: this is the first account. */
  auditId: number | null;
  /** How many accounts the run has ended before this one. */
  accounts: number;
  reason: string;
}

export interface AddressRow {
  address: string;
  accounts: number;
  suspended: number;
  firstAt: number;
  lastAt: number;
}

export interface RegistrationWrites {
  /**
   * Suspends or removes one account of the flood, and ends its memberships in rooms. `unchanged`: the account is none
   * of the flood any more, or is spared.
   */
  endRegistered(of: { actorId: number | null; userId: number; flood: Flood; run: FloodRun; now: number }):
    | (Extract<AccountChange, { outcome: 'changed' }> & {
        notices: MessageRow[];
        changes: UserChange[];
        auditId: number;
      })
    | Extract<AccountChange, { outcome: 'unchanged' }>
    | AdminRefusal;
}

export interface RegistrationReads {
  /**
   * The addresses of these registrations, those with the most accounts first; `userId`: only the address of this
   * account. Undefined for a viewer who is no admin, as in all reads here.
   */
  addresses(of: {
    actorId: number | null;
    since: number;
    until: number;
    userId?: number | undefined;
    limit: number;
  }): AddressRow[] | undefined;
  /** The accounts that the act would change, in ascending order. */
  registered(of: {
    actorId: number | null;
    flood: Flood;
    afterId: number;
    limit: number;
  }): { id: number }[] | undefined;
  /** `accounts`: that the act would change. `spared`: those of the flood that it never changes. */
  countRegistered(of: {
    actorId: number | null;
    flood: Flood;
  }): { accounts: number; spared: number } | undefined;
}
