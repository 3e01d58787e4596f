/** Names of keys in Redis that reveal nothing: what is counted by is a user's name or an address. */
import { hash } from 'node:crypto';

const LENGTH = 22;

/** `secret`: the same in all processes. 132 bits, in base64url. */
export function hiddenName(secret: string, name: string, key: string): string {
  return hash('sha256', `${secret}\0${name}\0${key}`, 'base64url').slice(0, LENGTH);
}
