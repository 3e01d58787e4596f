/** A Lua script, which Redis runs as one step. The server keeps it by its hash until it restarts. */
import { createHash } from 'node:crypto';

export class Script {
  readonly source: string;
  readonly sha1: string;

  constructor(source: string) {
    this.source = source;
    this.sha1 = createHash('sha1').update(source).digest('hex');
  }
}

/** The server does not have the script, such as after a restart. */
export function isNoScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('NOSCRIPT');
}
