/** The data folder and its files: created for their owner alone, and synced, so that they survive a power cut. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'roomful.db');
}

/** The index of the search, which can be made anew. */
export function searchFile(dataDir: string): string {
  return join(dataDir, 'search.db');
}

export function lockFile(dataDir: string): string {
  return join(dataDir, 'roomful.lock');
}

/** Creates the folder, with all folders above it, if it does not exist. */
export function createDataDir(dataDir: string): void {
  const missing: string[] = [];
  for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path);
  // One by one: where nothing can be created, as under /proc, Node's own `recursive` never ends.
  for (const path of missing) makeFolder(path);
}

function makeFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  // Windows cannot sync a folder.
  if (process.platform === 'win32') return;
  // The name of a new folder is stored in the folder above it. SQLite syncs what is inside.
  const above = openSync(dirname(path), 'r');
  fsyncSync(above);
  closeSync(above);
}

/**
 * Creates an empty file if there is none. An existing file is not even opened: closing it again would drop all locks
 * that this process holds on it (fcntl(2)).
 */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  else makePrivate(file);
}

/** A restored backup may have come with wider permissions. */
function makePrivate(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // Another user's file, or a file system without permissions: leave it as it is.
    if (!(error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP'].includes(String(error.code))))
      throw error;
  }
}
