/** Decodes and forges tokens, as an attacker would. */
import { createHmac } from 'node:crypto';
import { deriveKeys, type Keys } from '../../server/features/identity/secret.ts';
import { inDatabaseOf, type Stored } from './database.ts';

export type Claims = Record<string, unknown>;

/** The keys that a server with this secret signs with. They also depend on the epoch in its database. */
export async function keysOf(server: Stored, secret: string): Promise<Keys> {
  const [row] = await inDatabaseOf(server, "SELECT value FROM meta WHERE key = 'epoch'");
  if (row === undefined) throw new Error('the database has no epoch');
  return deriveKeys(secret, String(row.value));
}

/** The parts of a compact JWS as JSON, unverified. */
export function decodeHeader(token: string): Claims {
  return decodePart(token, 0);
}

export function decodeClaims(token: string): Claims {
  return decodePart(token, 1);
}

/** Signs this header and these claims with this secret; `hash` is the hash function of the HMAC. */
export function forge(header: Claims, claims: Claims, secret: string | Uint8Array, hash = 'sha256'): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** The token with one bit of the given part flipped. */
export function flipBit(token: string, part: number): string {
  const parts = token.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  parts[part] = bytes.toString('base64url');
  return parts.join('.');
}

function decodePart(token: string, part: number): Claims {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString('utf8')) as Claims;
}

function encodePart(part: Claims): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
