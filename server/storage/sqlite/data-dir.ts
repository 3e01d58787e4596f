/** The data folder and its files: made for their owner alone, and so that a power cut does not take them back. */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export function databaseFile(dataDir: string): string {
  return join(dataDir, 'roomful.db');
}

export function lockFile(dataDir: string): string {
  return join(dataDir, 'roomful.lock');
}

/** Makes the folder, with all folders above it, if it is not there. */
export function createDataDir(dataDir: string): void {
  const first = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // Windows has no such thing as syncing a folder.
  if (first === undefined || process.platform === 'win32') return;
  // A new folder's name is kept by the folder above it. What is inside, SQLite syncs itself.
  for (let made = resolve(dataDir); made.length >= resolve(first).length; made = dirname(made)) {
    const above = openSync(dirname(made), 'r');
    fsyncSync(above);
    closeSync(above);
  }
}

/**
 * Makes an empty file if there is none. A file that is there is not even opened: closing it again would drop all
 * locks that this process holds on it (fcntl(2)).
 */
export function createPrivateFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
}
