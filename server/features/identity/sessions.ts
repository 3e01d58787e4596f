/**
 * Sessions: one for each login. A session has short-lived access tokens, which are verified without the database, and
 * refresh tokens, which are kept as hashes and exchanged once (RFC 9700 §4.14). Ending it ends all of them at once.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../protocol/errors.ts';
import type { LoginResponse, Tokens } from '../../../protocol/rest/accounts.ts';
import type { SessionInfo } from '../../../protocol/rest/people.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { NewSession, SessionOwner, Store, UserRow } from '../../data/storage/store.ts';
import { Revocations } from './revocations.ts';
import type { Keys } from './secret.ts';
import { type Identity, SignedTokens, type VerifiedToken } from './tokens.ts';

export const ACCESS_TOKEN = { audience: 'roomful:access', extra: z.object({}) };
/** Opens files, and nothing else: it is a cookie, which goes along without anybody asking for it. */
export const FILE_TOKEN = { audience: 'roomful:files', extra: z.object({}) };
const MAX_USER_AGENT_LENGTH = 256;
/** Revocations are read again for this long: a revocation bears the time before its commit. */
const OVERLAP_MS = 60_000;

/** What a new session is stored with, besides whose it is. */
export type SessionTerms = Omit<NewSession, 'userId' | 'passwordHash'>;

export interface SessionsOptions {
  store: Store;
  bus: Bus;
  keys: Keys;
  accessTtlS: number;
  refreshTtlS: number;
  /** Unix milliseconds. */
  now?: () => number;
}

export class Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #accessTokens: SignedTokens<object>;
  readonly #fileTokens: SignedTokens<object>;
  readonly #revocations: Revocations;
  /** When revocations were last read, in Unix milliseconds. */
  #readAt = 0;

  constructor(options: SessionsOptions) {
    const all = { now: Date.now, ...options };
    const { keys, accessTtlS, now, bus } = all;
    this.#options = all;
    this.#accessTokens = new SignedTokens(ACCESS_TOKEN, { signingKey: keys.access, ttlS: accessTtlS, now });
    this.#fileTokens = new SignedTokens(FILE_TOKEN, { signingKey: keys.files, ttlS: accessTtlS, now });
    this.#revocations = new Revocations({ accessTtlS, now });
    bus.subscribe((event) => {
      if (event.type === 'session_revoked') this.#revocations.add(event.sessionId);
    });
  }

  /** Reads which sessions were revoked before this process started. */
  async load(): Promise<void> {
    await this.catchUp();
  }

  /**
   * Reads which sessions other processes have ended since the last read, as the bus may have lost that. Returns those
   * that were not known.
   */
  async catchUp(): Promise<number[]> {
    const { store, now } = this.#options;
    const since = Math.max(this.#revocations.since, this.#readAt - OVERLAP_MS);
    const readAt = now();
    const revoked = await store.sessionsRevokedSince(since);
    this.#readAt = readAt;
    return revoked.map(({ sessionId }) => sessionId).filter((sessionId) => this.#revocations.add(sessionId));
  }

  /** Starts a session for a user whose password was right. Undefined: it has been changed meanwhile. */
  async start(
    user: UserRow & { passwordHash: string },
    userAgent: string,
  ): Promise<LoginResponse | undefined> {
    const { id: userId, passwordHash } = user;
    return await this.startBy(async (session) => {
      const created = await this.#options.store.createSession({ ...session, userId, passwordHash });
      return created && { ...created, user };
    }, userAgent);
  }

  /** Starts a session that `create` stores, and says whose it is. Undefined: it does not. */
  async startBy(
    create: (session: SessionTerms) => Promise<{ sessionId: number; user: UserRow } | undefined>,
    userAgent: string,
  ): Promise<LoginResponse | undefined> {
    const { refreshTtlS, now } = this.#options;
    const refreshToken = randomBytes(32).toString('base64url');
    const created = await create({
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      refreshHash: hashOf(refreshToken),
      expiresAt: now() + refreshTtlS * 1000,
      now: now(),
    });
    if (!created) return undefined;
    const { id: userId, username } = created.user;
    const tokens = this.#tokensFor({ sessionId: created.sessionId, userId, username }, refreshToken);
    return { ...tokens, user: { id: userId, username } };
  }

  /**
   * Exchanges a refresh token, once. `idempotencyKey` names the exchange: repeating it returns the same successor until
   * that successor is used. The successor is derived from token and key, so no token is stored in clear.
   */
  async refresh(refreshToken: string, idempotencyKey: string | undefined): Promise<Tokens> {
    const { store, keys, refreshTtlS, now } = this.#options;
    const successor =
      idempotencyKey === undefined
        ? randomBytes(32).toString('base64url')
        : createHmac('sha256', keys.refresh).update(`${refreshToken}\0${idempotencyKey}`).digest('base64url');
    const exchange = await store.exchangeRefreshToken({
      hash: hashOf(refreshToken),
      successorHash: hashOf(successor),
      successorExpiresAt: now() + refreshTtlS * 1000,
      retryKey: idempotencyKey === undefined ? null : hashOf(idempotencyKey),
      now: now(),
    });
    if (exchange.outcome === 'exchanged') return this.#tokensFor(exchange, successor);
    if (exchange.outcome === 'theft') this.announceEnd(exchange.sessionId);
    throw new AppError('invalid_refresh_token');
  }

  /** Ends the session that a live refresh token belongs to: its tokens, tickets and sockets. */
  async end(refreshToken: string): Promise<void> {
    const { store, now } = this.#options;
    const ended = await store.revokeSession({ refreshHash: hashOf(refreshToken), now: now() });
    if (!ended) throw new AppError('invalid_refresh_token');
    this.announceEnd(ended.sessionId);
  }

  /** The user's live sessions, the latest used first. */
  async list({ userId, sessionId: ownId }: Identity): Promise<SessionInfo[]> {
    const { store, now } = this.#options;
    const rows = await store.liveSessions({ userId, now: now() });
    return rows.map(({ sessionId, createdAt, lastUsedAt, userAgent }) => ({
      id: sessionId,
      created_at: new Date(createdAt).toISOString(),
      last_used_at: new Date(lastUsedAt).toISOString(),
      user_agent: userAgent,
      current: sessionId === ownId,
    }));
  }

  /** Ends a live session of the user; throws `session_not_found` for any other. */
  async endOne(userId: number, sessionId: number): Promise<void> {
    const { store, now } = this.#options;
    const isEnded = await store.endSession({ userId, sessionId, now: now() });
    if (!isEnded) throw new AppError('session_not_found');
    this.announceEnd(sessionId);
  }

  /** Replaces the user's password, of the hash `from`, and ends all other sessions; whether `from` was still true. */
  async changePassword(
    { userId, sessionId }: Identity,
    hashes: { from: string; to: string },
  ): Promise<boolean> {
    const { store, now } = this.#options;
    const changed = await store.changePassword({ ...hashes, userId, keptId: sessionId, now: now() });
    for (const ended of changed?.ended ?? []) this.announceEnd(ended);
    return changed !== undefined;
  }

  /** The identity that a live access token names; throws `invalid_token` for anything else. */
  authenticate(accessToken: string): Identity {
    return this.#identityOf(this.#accessTokens.verify(accessToken));
  }

  /** The same for the token of files. */
  authenticateForFiles(fileToken: string): Identity {
    return this.#identityOf(this.#fileTokens.verify(fileToken));
  }

  /** The token of files for whoever has this access token. */
  fileToken(accessToken: string): string {
    return this.#fileTokens.sign(this.authenticate(accessToken), {}).token;
  }

  /** Whether a token or ticket of this session, issued then (Unix milliseconds), has been revoked. */
  isRevoked(token: { sessionId: number; issuedAt: number }): boolean {
    return this.#revocations.covers(token);
  }

  /** Whether a session that was live a moment ago has ended. */
  hasEnded(sessionId: number): boolean {
    return this.#revocations.has(sessionId);
  }

  /** Drops revocations of sessions whose tokens have all expired. To be called periodically. */
  sweep(): void {
    this.#revocations.sweep();
  }

  /** Makes the end of a session known, once it is durable. */
  announceEnd(sessionId: number): void {
    // In this process at once, whatever happens to the bus; in the others through the bus.
    this.#revocations.add(sessionId);
    this.#options.bus.publish({ type: 'session_revoked', sessionId });
  }

  #identityOf(token: VerifiedToken<object> | undefined): Identity {
    if (!token || this.isRevoked(token)) throw new AppError('invalid_token');
    const { userId, username, sessionId } = token;
    return { userId, username, sessionId };
  }

  #tokensFor({ userId, username, sessionId }: SessionOwner, refreshToken: string): Tokens {
    const { token } = this.#accessTokens.sign({ userId, username, sessionId }, {});
    return { access_token: token, refresh_token: refreshToken, expires_in: this.#options.accessTtlS };
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
