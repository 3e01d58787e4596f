/** Users and their sessions. */

export interface UserRow {
  id: number;
  username: string;
}

export interface NewUser {
  username: string;
  key: string;
  looks: readonly string[];
  isDisguised: boolean;
  passwordHash: string;
  /** The hash of an invitation's code. */
  inviteHash?: string | undefined;
  /** The client's address, as limits count it. */
  address?: string | undefined;
  /** Whoever may register. */
  isByOperator?: boolean;
  now: number;
}

/**
 * `closed`: nobody may register now, or nobody without an invitation. `isInvited`: the user has taken a use of the
 * invitation, and may enter its room by it.
 */
export type CreateUserOutcome =
  | { outcome: 'created'; user: UserRow; isInvited?: true }
  | { outcome: 'taken' }
  | { outcome: 'closed' };

export interface NewSession {
  userId: number;
  /** The one that was right: a login with a password that was changed meanwhile starts no session. */
  passwordHash: string;
  userAgent: string;
  refreshHash: string;
  expiresAt: number;
  now: number;
}

export interface PasswordChange {
  userId: number;
  from: string;
  to: string;
  /** The session that makes the change. */
  keptId: number;
  now: number;
}

export interface SessionOwner {
  sessionId: number;
  userId: number;
  username: string;
}

export interface Exchange {
  hash: string;
  successorHash: string;
  successorExpiresAt: number;
  /** Names this exchange, so that its repeat can be distinguished from theft; null: it cannot be repeated. */
  retryKey: string | null;
  now: number;
}

export type ExchangeOutcome =
  /** The successor is live: just stored, or stored by the first try of the same exchange. */
  | ({ outcome: 'exchanged' } & SessionOwner)
  | { outcome: 'invalid' }
  /** An old token came back: the whole session is revoked now. */
  | { outcome: 'theft'; sessionId: number };

export interface UserWrites {
  /** Taken: another user has the key, or the name is disguised and shares one of its looks with another's. */
  createUser(user: NewUser): CreateUserOutcome;
  /** Undefined: the user has another password now, is suspended, or is not there. */
  createSession(session: NewSession): { sessionId: number } | undefined;
  /**
   * Replaces the password with the hash `from`, and ends all sessions of the user but `keptId`. `ended`: their ids.
   * Undefined: the user has another password now.
   */
  changePassword(change: PasswordChange): { ended: number[] } | undefined;
  /** Decided and done in one step: of any number of racers with one token, one wins. */
  exchangeRefreshToken(exchange: Exchange): ExchangeOutcome;
  /** Revokes the session of a live refresh token. */
  revokeSession(of: { refreshHash: string; now: number }): { sessionId: number } | undefined;
  /** True for exactly one caller for each jti, for as long as the ticket lives. */
  spendTicket(ticket: { jti: string; expiresAt: number }): boolean;
}

export interface UserReads {
  findUser(key: string): (UserRow & { passwordHash: string }) | undefined;
  sessionsRevokedSince(time: number): { sessionId: number }[];
  isTicketSpent(jti: string): boolean;
}
