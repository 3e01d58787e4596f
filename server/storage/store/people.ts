/** What others see of a user, whom the user has blocked, and the user's sessions. */
import type { UserRole } from '../../../protocol/people.ts';

export interface ProfileRow {
  id: number;
  username: string;
  /** Grows with every change that others see. */
  version: number;
  kind: 'person' | 'bot';
  role: UserRole;
  displayName: string;
  /** JSON (protocol/people.ts), or null. */
  status: string | null;
  timeZone: string | null;
  suspendedAt: number | null;
}

/** Only what is given changes. */
export interface ProfileChange {
  userId: number;
  /** With the form of it that is searched. */
  displayName?: { name: string; key: string } | undefined;
  status?: string | null | undefined;
  timeZone?: string | null | undefined;
  settings?: string | undefined;
}

export interface SessionRow {
  sessionId: number;
  createdAt: number;
  lastUsedAt: number;
  userAgent: string;
}

export interface PeopleWrites {
  /** The version grows when others see something new. Undefined when there is no such user. */
  changeProfile(change: ProfileChange): { profile: ProfileRow; settings: string } | undefined;
  /** Personal. Undefined when nothing changed; false when there is no such user, or it is the user's own id. */
  setBlock(block: {
    userId: number;
    blockedId: number;
    isBlocked: boolean;
  }): { userSeq: number } | false | undefined;
  /** Revokes a session of this user by its id; true for the one caller that does. */
  endSession(of: { userId: number; sessionId: number; now: number }): boolean;
  /** Makes the user an admin, if there is none yet, or if `isForced`; whether there is a change. */
  grantAdmin(of: { userId: number; isForced: boolean }): boolean;
}

export interface PeopleReads {
  /** Of the first 100 of the ids, by id; unknown ones are left out. */
  profiles(ids: readonly number[]): ProfileRow[];
  /**
   * By a part of the username's or the display name's key, at most `limit`; with `amongPeopleOf`, only those who are in
   * a room with that user.
   */
  searchPeople(query: { keyPart: string; limit: number; amongPeopleOf?: number | undefined }): ProfileRow[];
  ownProfile(userId: number): { profile: ProfileRow; settings: string } | undefined;
  /** The ids of those whom the user has blocked. */
  blockedBy(userId: number): number[];
  /** Live sessions, the latest used first. */
  liveSessions(of: { userId: number; now: number }): SessionRow[];
  hasAdmin(): boolean;
}
