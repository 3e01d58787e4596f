/** The one secret, and the keys derived from it: each purpose has its own, so no token can stand in for another. */
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../../platform/config.ts';

/** An HMAC key of 32 bytes. `id` names it in the header of the tokens that it signs. */
export interface SigningKey {
  id: string;
  key: Uint8Array;
}

export interface Keys {
  access: SigningKey;
  ticket: SigningKey;
  returnTicket: SigningKey;
  files: SigningKey;
  refresh: Uint8Array;
  setup: Uint8Array;
}

const FILE_NAME = 'jwt-secret';
/** 48 bits: enough to tell secrets apart, too few to stand for one. */
const ID_LENGTH = 8;
const SECRET_BYTES = 32;
/** 32 bytes in base64url. */
const SECRET_LENGTH = 43;

/**
 * The secret of `dataDir`, generated on the first start and readable by its owner alone. Each warning is a sentence for
 * the operator. Throws a ConfigError on a damaged file.
 */
export function loadSecret(dataDir: string): { secret: string; warnings: string[] } {
  const file = join(dataDir, FILE_NAME);
  if (!existsSync(file)) generateSecret(dataDir, file);
  const warnings = makePrivate(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= SECRET_LENGTH) return { secret, warnings };
  throw new ConfigError(
    `${file} is damaged: delete it to have a new one generated. All access tokens and tickets end with it.`,
  );
}

/** The file appears whole or not at all: half a secret would let anybody forge tokens. */
function generateSecret(dataDir: string, file: string): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(temporary, file);
  // A folder cannot be synced on Windows.
  if (process.platform === 'win32') return;
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** Takes the rights of everybody but the owner away: a copied or restored file often has some. */
function makePrivate(file: string): string[] {
  // Windows has no such rights.
  if (process.platform === 'win32') return [];
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return [];
  const exposed = `${file} was open to other users of this machine (mode ${mode.toString(8)})`;
  const advice = 'If one of them may have read it, delete it and restart: a new secret is generated.';
  try {
    chmodSync(file, 0o600);
    return [`${exposed}; it is now readable by its owner alone. ${advice}`];
  } catch {
    return [`${exposed} and its mode could not be changed: run chmod 600 on it as its owner. ${advice}`];
  }
}

/**
 * HKDF-SHA-256 (RFC 5869), 32 bytes a key. Access tokens and tickets are bound to the epoch of the database, because
 * they name users, sessions and rooms by id: in another or a restored database the same ids may be somebody else's.
 */
export function deriveKeys(secret: string, epoch: string): Keys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `roomful ${purpose}`, 32));
  const signingKey = (purpose: string): SigningKey => {
    const key = derive(`${purpose} of ${epoch}`);
    return { key, id: createHash('sha256').update('kid').update(key).digest('base64url').slice(0, 8) };
  };
  return {
    access: signingKey('access'),
    ticket: signingKey('ticket'),
    returnTicket: signingKey('return ticket'),
    files: signingKey('files'),
    refresh: derive('refresh'),
    setup: derive(`setup of ${epoch}`),
  };
}

/** A name of the secret, to compare it with that of other processes. The secret cannot be found from it. */
export function idOfSecret(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'roomful id', 32))
    .toString('base64url')
    .slice(0, ID_LENGTH);
}
