/**
 * Who is asking: access tokens (JWT, short-lived, judged without the database), and the refresh tokens that renew
 * them. Both belong to a session, one login; a revoked session ends all of it, at once.
 */
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { AppError, type ErrorCode } from '../../protocol/errors.ts';
import type { Tokens as TokenAnswer } from '../../protocol/rest.ts';
import type { Bus } from '../bus/bus.ts';
import type { SessionOwner, Store, UserRow } from '../storage/store.ts';
import type { Keys } from './secret.ts';

/** A user, as one of their logins. */
export interface Identity {
  userId: number;
  username: string;
  sessionId: number;
}

const ISSUER = 'roomful';
const ACCESS_AUDIENCE = 'roomful:access';
/** No access token lives longer (see config.ts), so no revocation need be remembered longer. */
const LONGEST_ACCESS_TTL_MS = 86_400_000;
/**
 * Three parts of base64url, the last of 256 bits: its 43rd character holds four of them, and only one spelling of the
 * other two is the token that was signed (RFC 4648 §3.5).
 */
const CANONICAL_JWT = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
const MAX_USER_AGENT_LENGTH = 256;
/** Access tokens whose judgement is kept; the oldest are forgotten first. */
const MAX_JUDGED = 10_000;

export interface TokensOptions {
  store: Store;
  bus: Bus;
  keys: Keys;
  accessTtlS: number;
  refreshTtlS: number;
  now?: () => number;
}

export class Tokens {
  readonly #options: Required<TokensOptions>;
  /** Session id to the time until which one of its access tokens could still be presented. */
  readonly #revoked = new Map<number, number>();
  /**
   * Live access tokens that were found good, oldest first: to verify a signature costs more than to answer most
   * requests (docs/PERFORMANCE.md), and only time and revocation change the verdict.
   */
  readonly #judged = new Map<string, { identity: Identity; expiresAt: number }>();

  constructor(options: TokensOptions) {
    this.#options = { now: Date.now, ...options };
    options.bus.subscribe((event) => {
      if (event.type === 'session_revoked') this.#remember(event.sessionId);
    });
  }

  /** Learns which sessions were revoked before this process started. */
  async load(): Promise<void> {
    const since = this.#options.now() - LONGEST_ACCESS_TTL_MS;
    for (const { sessionId } of await this.#options.store.sessionsRevokedSince(since))
      this.#remember(sessionId);
  }

  /** A new session for a user whose password was right. */
  async startSession(user: UserRow, userAgent: string): Promise<TokenAnswer> {
    const { store, refreshTtlS, now } = this.#options;
    const refreshToken = randomBytes(32).toString('base64url');
    const { sessionId } = await store.createSession({
      userId: user.id,
      userAgent: userAgent.slice(0, MAX_USER_AGENT_LENGTH),
      refreshHash: hashOf(refreshToken),
      expiresAt: now() + refreshTtlS * 1000,
      now: now(),
    });
    return this.#answer({ sessionId, userId: user.id, username: user.username }, refreshToken);
  }

  /**
   * Exchanges a refresh token, once. `idempotencyKey` names the exchange: its repeat gets the same successor
   * while that is unused. The successor is derived from the two, so that nothing need be stored in clear.
   */
  async refresh(refreshToken: string, idempotencyKey: string | undefined): Promise<TokenAnswer> {
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
    if (exchange.outcome === 'exchanged') return this.#answer(exchange, successor);
    if (exchange.outcome === 'theft') this.#announce(exchange.sessionId);
    throw new AppError('invalid_refresh_token');
  }

  /** Ends the session that a live refresh token belongs to: its tokens, tickets and sockets. */
  async logout(refreshToken: string): Promise<void> {
    const { store, now } = this.#options;
    const ended = await store.revokeSession({ refreshHash: hashOf(refreshToken), now: now() });
    if (!ended) throw new AppError('invalid_refresh_token');
    this.#announce(ended.sessionId);
  }

  /** The identity behind an access token; anything but a live one is `invalid_token`. */
  async verifyAccess(token: string): Promise<Identity> {
    const known = this.#judged.get(token);
    const identity = known && Date.now() < known.expiresAt ? known.identity : await this.#judge(token);
    if (this.isRevoked(identity.sessionId)) throw new AppError('invalid_token');
    return identity;
  }

  isRevoked(sessionId: number): boolean {
    return this.#revoked.has(sessionId);
  }

  /** Forgets the revocations that no living token can ask about. */
  sweep(): void {
    const now = this.#options.now();
    for (const [token, { expiresAt }] of this.#judged) if (expiresAt < now) this.#judged.delete(token);
    for (const [sessionId, until] of this.#revoked) if (until < now) this.#revoked.delete(sessionId);
  }

  async #judge(token: string): Promise<Identity> {
    const { keys } = this.#options;
    this.#judged.delete(token);
    const { access, kid } = keys;
    const { identity, payload } = await verifyJwt(token, access, kid, ACCESS_AUDIENCE, 'invalid_token');
    this.#judged.set(token, { identity, expiresAt: (payload.exp ?? 0) * 1000 });
    const [oldest] = this.#judged.keys();
    if (this.#judged.size > MAX_JUDGED && oldest !== undefined) this.#judged.delete(oldest);
    return identity;
  }

  #announce(sessionId: number): void {
    // At once here, whatever the bus does; again through the bus, for everybody.
    this.#remember(sessionId);
    this.#options.bus.publish({ type: 'session_revoked', sessionId });
  }

  #remember(sessionId: number): void {
    this.#revoked.set(sessionId, this.#options.now() + LONGEST_ACCESS_TTL_MS);
  }

  async #answer(owner: SessionOwner, refreshToken: string): Promise<TokenAnswer> {
    const { keys, accessTtlS, now } = this.#options;
    const accessToken = await signJwt(owner, {
      key: keys.access,
      kid: keys.kid,
      audience: ACCESS_AUDIENCE,
      ttlS: accessTtlS,
      now: now(),
    });
    return { access_token: accessToken, refresh_token: refreshToken, expires_in: accessTtlS };
  }
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

interface Signing {
  key: Uint8Array;
  kid: string;
  audience: string;
  ttlS: number;
  now: number;
}

/** A JWT (RFC 7519), HS256, that names a user, their session, and whatever `extra` says. */
export function signJwt(
  owner: Identity,
  { key, kid, audience, ttlS, now }: Signing,
  extra: JWTPayload = {},
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT({
    jti: randomBytes(16).toString('base64url'),
    ...extra,
    sid: owner.sessionId,
    name: owner.username,
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid })
    .setIssuer(ISSUER)
    .setAudience(audience)
    .setSubject(String(owner.userId))
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ttlS)
    .sign(key);
}

/** Verifies one of our own JWTs, strictly (RFC 8725): one algorithm, one issuer, this audience, all claims there. */
export async function verifyJwt(
  token: string,
  key: Uint8Array,
  kid: string,
  audience: string,
  refusal: ErrorCode,
): Promise<{ identity: Identity; payload: JWTPayload }> {
  try {
    if (!CANONICAL_JWT.test(token)) throw new Error('not canonical');
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      audience,
      requiredClaims: ['sub', 'sid', 'name', 'iat', 'exp', 'jti'],
    });
    if (protectedHeader.kid !== kid) throw new Error('another key id');
    return { identity: identityOf(payload), payload };
  } catch (cause) {
    throw new AppError(refusal, { cause });
  }
}

function identityOf(payload: JWTPayload): Identity {
  const { sub, sid, name } = payload;
  const userId = Number(sub);
  if (!Number.isSafeInteger(userId) || typeof sid !== 'number' || typeof name !== 'string')
    throw new Error('odd claims');
  return { userId, username: name, sessionId: sid };
}
