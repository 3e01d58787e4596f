/** What is on the disk survives a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

export function syncFile(file: string): void {
  const opened = openSync(file, 'r');
  fsyncSync(opened);
  closeSync(opened);
}

/** The names in the folder are on the disk. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncFile(folder);
}
