/** Links that sign in once. */
import type { AdminRefusal } from './administration.ts';
import type { NewSession, UserRow } from './users.ts';

export interface SignInLinkWrites {
  /** By the operator. Earlier links of the same user end, also those that set a password. */
  createSignInLink(link: {
    userId: number;
    codeHash: string;
    expiresAt: number;
    now: number;
  }): { outcome: 'created'; user: UserRow } | AdminRefusal;
  /** Ends the link and starts a session, in one step: of any number of racers, one wins. Undefined: there is no such link. */
  useSignInLink(
    use: Omit<NewSession, 'userId' | 'passwordHash'> & { codeHash: string },
  ): { user: UserRow; sessionId: number } | undefined;
}

export interface SignInLinkReads {
  /** Whom the link signs in; undefined for a code that leads nowhere. */
  findSignInLink(of: { codeHash: string; now: number }): { user: UserRow; isSuspended: boolean } | undefined;
}
