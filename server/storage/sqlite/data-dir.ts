/** The data folder and its files: made for their owner alone, and so that a power cut does not take them back. */
import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'roomful.db');
}

export function lockFile(dataDir: string): string {
  return join(dataDir, 'roomful.lock');
}

/** Makes the folder, with all folders above it, if it is not there. */
export function createDataDir(dataDir: string): void {
  const missing: string[] = [];
  for (let path = resolve(dataDir); !existsSync(path); path = dirname(path)) missing.unshift(path);
  // One by one: where nothing can be made, as under /proc, Node's own `recursive` never comes to an end.
  for (const path of missing) makeFolder(path);
}

function makeFolder(path: string): void {
  mkdirSync(path, { mode: 0o700 });
  // Windows has no such thing as syncing a folder.
  if (process.platform === 'win32') return;
  // A new folder's name is kept by the folder above it. What is inside, SQLite syncs itself.
  const above = openSync(dirname(path), 'r');
  fsyncSync(above);
  closeSync(above);
}

/**
 * Makes an empty file if there is none. A file that is there is not even opened: closing it again would drop all
 * locks that this process holds on it (fcntl(2)).
 */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  else makePrivate(file);
}

/** A backup that was put back may have come with wider rights. */
function makePrivate(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, 0o600);
  } catch (error) {
    // Somebody else's file, or a disk without rights: that is how its owner wants it.
    if (!(error instanceof Error && 'code' in error && ['EPERM', 'ENOTSUP'].includes(String(error.code))))
      throw error;
  }
}
