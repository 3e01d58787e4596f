import { createHash } from 'node:crypto';
import { addressKey } from './client-address.ts';
import { normalizedPath } from './request-path.ts';

/** No path starts like this, so no path can share the bucket of those that do not exist. */
const UNMATCHED = '*';
/** A longer key is replaced by its hash: what a client sends must not decide how much is remembered. */
const MAX_PATH_LENGTH = 128;

/**
 * The key under which a request is counted: its client and its path, decoded and normalised, ids included, query
 * left out. All targets that match nothing (`matched` false) share one count, as do those that are no path at all.
 */
export function rateLimitKey(clientAddress: string, target: string, matched: boolean): string {
  const path = matched ? normalizedPath(target) : null;
  return `${addressKey(clientAddress)} ${path === null ? UNMATCHED : bounded(plainIds(path))}`;
}

/** `/rooms/007` is the same room as `/rooms/7`, so it is the same path. */
function plainIds(path: string): string {
  return path.replace(/\/0+(?=[0-9]+(?:\/|$))/g, '/');
}

function bounded(path: string): string {
  if (path.length <= MAX_PATH_LENGTH) return path;
  return `#${createHash('sha256').update(path).digest('base64url')}`;
}
