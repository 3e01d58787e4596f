/** Tokens taken apart and forged, as an attacker would. */
import { createHmac } from 'node:crypto';

export type Claims = Record<string, unknown>;

/** The parts of a compact JWS as JSON, unverified. */
export function decodeHeader(token: string): Claims {
  return decodePart(token, 0);
}

export function decodeClaims(token: string): Claims {
  return decodePart(token, 1);
}

/** Signs whatever header and claims are given with this secret; `hash` is the HMAC's. */
export function forge(header: Claims, claims: Claims, secret: string | Uint8Array, hash = 'sha256'): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

/** The token with one bit of the given part turned over. */
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
