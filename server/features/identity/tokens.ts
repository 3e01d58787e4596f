/**
 * Signed tokens: JWTs (RFC 7519) that this server issues and that only this server reads. One fixed header, HS256, and
 * synchronous: docs/decisions/0024-own-hs256-tokens.md has the reasons and the figures.
 */
import { createHmac, randomFillSync, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseId } from '../../../protocol/text.ts';
import type { SigningKey } from './secret.ts';

/** A user, in one of their sessions. */
export interface Identity {
  userId: number;
  username: string;
  sessionId: number;
}

export interface VerifiedToken<Extra> extends Identity {
  /** Unique to the token. */
  jti: string;
  /** Unix milliseconds, in whole seconds. */
  issuedAt: number;
  expiresAt: number;
  extra: Extra;
}

export interface TokenKind<Extra> {
  /** The `aud` claim: no token of one kind passes for another. */
  audience: string;
  /** Claims that only this kind of token carries. */
  extra: z.ZodType<Extra>;
}

export interface TokenOptions {
  signingKey: SigningKey;
  ttlS: number;
  /** Unix milliseconds. */
  now: () => number;
}

const ISSUER = 'roomful';

const ID_BYTES = 16;
/** Random bytes for the next ids. Asking the generator takes as long for 16 bytes as for all of these. */
const ids = Buffer.alloc(256 * ID_BYTES);
let idsUsed = ids.length;

export class SignedTokens<Extra extends object> {
  /** The only header that is ever accepted, encoded, with the dot that ends it. */
  readonly #header: string;
  readonly #key: Uint8Array;
  readonly #audience: string;
  readonly #claims;
  readonly #extra: z.ZodType<Extra>;
  readonly #ttlS: number;
  readonly #now: () => number;

  constructor({ audience, extra }: TokenKind<Extra>, { signingKey, ttlS, now }: TokenOptions) {
    const { id, key } = signingKey;
    this.#header = `${encode({ alg: 'HS256', typ: 'JWT', kid: id })}.`;
    this.#key = key;
    this.#audience = audience;
    this.#claims = claimsFor(audience);
    this.#extra = extra;
    this.#ttlS = ttlS;
    this.#now = now;
  }

  sign({ userId, username, sessionId }: Identity, extra: Extra): { token: string; jti: string } {
    const iat = seconds(this.#now());
    const jti = randomId();
    const signed = `${this.#header}${encode({
      iss: ISSUER,
      ...extra,
      aud: this.#audience,
      sub: String(userId),
      sid: sessionId,
      name: username,
      jti,
      iat,
      exp: iat + this.#ttlS,
    })}`;
    return { token: `${signed}.${this.#signatureOf(signed)}`, jti };
  }

  /**
   * The token's claims, or undefined when it is not a live token of this kind (RFC 8725). The header must be ours to
   * the byte, so nothing in it is ever parsed, and nothing in the payload is parsed before the signature is verified.
   */
  verify(token: string): VerifiedToken<Extra> | undefined {
    const end = token.lastIndexOf('.');
    if (!token.startsWith(this.#header) || end < this.#header.length) return undefined;
    // Signatures are compared as text: base64url has several spellings of the same bytes (RFC 4648 §3.5).
    const given = Buffer.from(token.slice(end + 1));
    const expected = Buffer.from(this.#signatureOf(token.slice(0, end)));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return this.#read(token.slice(this.#header.length, end));
  }

  #read(payload: string): VerifiedToken<Extra> | undefined {
    const decoded = decode(payload);
    const claims = this.#claims.safeParse(decoded).data;
    const extra = this.#extra.safeParse(decoded).data;
    const userId = parseId(claims?.sub ?? '');
    if (!claims || !extra || userId === null) return undefined;
    const { iat, exp, nbf, sid: sessionId, name: username, jti } = claims;
    // By its age, too: after a restart with a shorter lifetime no token outlives what sessions.ts remembers.
    const expires = Math.min(exp, iat + this.#ttlS);
    const now = seconds(this.#now());
    if (now >= expires || (nbf !== undefined && nbf > now)) return undefined;
    return { userId, username, sessionId, jti, issuedAt: iat * 1000, expiresAt: expires * 1000, extra };
  }

  #signatureOf(signed: string): string {
    return createHmac('sha256', this.#key).update(signed).digest('base64url');
  }
}

/** Each byte is used once. */
function randomId(): string {
  if (idsUsed === ids.length) {
    randomFillSync(ids);
    idsUsed = 0;
  }
  const from = idsUsed;
  idsUsed += ID_BYTES;
  return ids.toString('base64url', from, idsUsed);
}

function claimsFor(audience: string) {
  return z.object({
    iss: z.literal(ISSUER),
    aud: z.literal(audience),
    sub: z.string(),
    sid: z.int(),
    name: z.string(),
    jti: z.string(),
    iat: z.int(),
    exp: z.int(),
    nbf: z.int().optional(),
  });
}

function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decode(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
