/** The one secret, and the keys derived from it: each purpose has its own, so that no token can stand in for another. */
import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config.ts';

export interface Keys {
  access: Uint8Array;
  ticket: Uint8Array;
  refresh: Uint8Array;
  /** Names the secret in a token's header: a token of another secret is told apart before its signature is judged. */
  kid: string;
}

const FILE_NAME = 'jwt-secret';
const SECRET_BYTES = 32;
/** 32 bytes in base64url. */
const SECRET_LENGTH = 43;

/** The secret of `dataDir`, generated on the first start and readable by its owner alone. Throws on a damaged file. */
export function loadSecret(dataDir: string): string {
  const file = join(dataDir, FILE_NAME);
  if (!existsSync(file)) generateSecret(dataDir, file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= SECRET_LENGTH) return secret;
  throw new ConfigError(
    `${file} is damaged: delete it to have a new one made; access tokens and tickets end with it.`,
  );
}

/** It appears whole or not at all: a half-written secret would let anybody forge tokens. */
function generateSecret(dataDir: string, file: string): void {
  const temporary = `${file}.new`;
  writeFileSync(temporary, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(temporary, file);
  // Windows has no such thing as syncing a folder.
  if (process.platform === 'win32') return;
  const folder = openSync(dataDir, 'r');
  fsyncSync(folder);
  closeSync(folder);
}

/** HKDF-SHA-256 (RFC 5869), 32 bytes a key. */
export function deriveKeys(secret: string): Keys {
  const derive = (purpose: string) =>
    new Uint8Array(hkdfSync('sha256', secret, '', `roomful ${purpose}`, 32));
  const kid = createHash('sha256').update(derive('kid')).digest('base64url').slice(0, 8);
  return { access: derive('access'), ticket: derive('ticket'), refresh: derive('refresh'), kid };
}
