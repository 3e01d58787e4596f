/** How many files this process has open, and may have open. Every socket takes one. */
import { readdirSync, readFileSync } from 'node:fs';

/** The start alone opens about half of this. */
export const MIN_OPEN_FILES = 256;

/** How many files the process may have open (`ulimit -n`); undefined where the system does not say. */
export function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined; // Only Linux has /proc.
  }
}

/** How many files the process has open now; undefined where the system does not say. */
export function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return undefined;
  }
}
