import { createHash } from 'node:crypto';
import { addressKey } from './client-address.ts';
import { normalizedPath } from './request-path.ts';

/** No path starts like this, so no path can share the bucket of those that do not exist. */
const UNMATCHED = '*';
/** A longer path is replaced by its hash, so that a client cannot choose how much memory its key takes. */
const MAX_PATH_LENGTH = 128;

/**
 * The key under which a request is counted: its client and its decoded, normalized path, with ids, without the query.
 * All targets without a route (`matched` false) share one count, as do those that are no path.
 */
export function rateLimitKey(clientAddress: string, target: string, matched: boolean): string {
  const path = matched ? normalizedPath(target) : null;
  return `${addressKey(clientAddress)} ${path === null ? UNMATCHED : bounded(plainIds(path))}`;
}

/** `/rooms/007` and `/rooms/7` are the same room, so they are the same path. */
function plainIds(path: string): string {
  return path.replace(/\/0+(?=[0-9]+(?:\/|$))/g, '/');
}

function bounded(path: string): string {
  if (path.length <= MAX_PATH_LENGTH) return path;
  return `#${createHash('sha256').update(path).digest('base64url')}`;
}
