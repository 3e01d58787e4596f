/** Profiles, blocks, and a user's own sessions. */
import type { UserRole } from '../../../../protocol/people.ts';

export interface ProfileRow {
  id: number;
  username: string;
  /** Grows with every change that others see. */
  version: number;
  kind: 'person' | 'bot' | 'removed';
  role: UserRole;
  displayName: string;
  /** JSON (protocol/people.ts), or null. */
  status: string | null;
  /** Of a file. */
  avatarKey: string | null;
  timeZone: string | null;
  suspendedAt: number | null;
}

/** A user's own view of the profile. `settings`: JSON (protocol/rest/people.ts). */
export interface OwnProfile {
  profile: ProfileRow;
  settings: string;
}

/** Only what is given changes. */
export interface ProfileChange {
  userId: number;
  displayName?: string | undefined;
  status?: string | null | undefined;
  timeZone?: string | null | undefined;
  /** Of a picture that was uploaded for this and is ready; the one before is deleted. */
  avatarKey?: string | null | undefined;
  /** Settings to set; those that it does not name stay. */
  settings?: Readonly<Record<string, unknown>> | undefined;
}

export interface SessionRow {
  sessionId: number;
  createdAt: number;
  lastUsedAt: number;
  userAgent: string;
}

export interface PeopleQuery {
  /** How a word of the username or of the display name begins, as a key; empty: all people. */
  start: string;
  limit: number;
  /** Only people who are in a room with this user. */
  amongPeopleOf?: number | undefined;
  /** Where searches have to wait, those of different viewers take turns. */
  viewerId?: number | undefined;
}

export interface PeopleWrites {
  /**
   * `isShown`: others see something new, and the version grew. Undefined when there is no such user, or no such picture.
   */
  changeProfile(change: ProfileChange): (OwnProfile & { isShown: boolean }) | undefined;
  /** Personal. Undefined when nothing changed; false when there is no such user, or it is the user's own id. */
  setBlock(block: {
    userId: number;
    blockedId: number;
    isBlocked: boolean;
  }): { userSeq: number } | false | undefined;
  /** Revokes a session of this user by its id; true for the one caller that does. */
  endSession(of: { userId: number; sessionId: number; now: number }): boolean;
  /**
   * While there is no admin: what the setup code is made of. The value that is there, or `nonce` where there is none or
   * with `isRenewed`. Undefined while there is an admin.
   */
  beginSetup(of: { nonce: string; isRenewed: boolean }): string | undefined;
  /**
   * Makes a live user the first admin, while there is none and the setup has this nonce, and ends the setup. `userSeq`:
   * the number of the change in the user's log; undefined: nothing was changed.
   */
  claimSetup(of: { userId: number; nonce: string; now: number }): { userSeq: number } | undefined;
}

export interface PeopleReads {
  /** Profiles by id, of the first 100 ids; unknown ids are left out. */
  profiles(ids: readonly number[]): ProfileRow[];
  /**
   * In the order of the words that match; with `amongPeopleOf`, in the order of the rooms. May see several snapshots.
   */
  searchPeople(query: PeopleQuery): ProfileRow[];
  ownProfile(userId: number): OwnProfile | undefined;
  /** The ids of the people whom the user has blocked. */
  blockedBy(userId: number): number[];
  /** Live sessions, the latest used first. */
  liveSessions(of: { userId: number; now: number }): SessionRow[];
  hasAdmin(): boolean;
  /** What the setup code is made of, while there is a setup. */
  setupNonce(): string | undefined;
}
