/** Backups beside each other in one folder, of which the latest are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFEST } from './manifest.ts';

const NAME = /^roomful-\d{4}-\d{2}-\d{2}T\d{9}Z$/;
const UNFINISHED = /^roomful-\d{4}-\d{2}-\d{2}T\d{9}Z\.partial/;
/** What a backup left that was killed; one that is being made is younger. */
const UNFINISHED_MS = 86_400_000;

/** The name of a backup that begins at this time. Names are in the order of time. */
export function backupName(at: Date): string {
  return `roomful-${at.toISOString().replaceAll(/[:.]/g, '')}`;
}

/** The backups in a folder that were made there, the latest first. Other folders are none of them. */
export function backupsIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
    .sort()
    .reverse();
}

/** Deletes all but the latest; the names of those that it has deleted. */
export function keepLatest(folder: string, count: number): string[] {
  const old = backupsIn(folder).slice(count);
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of readdirSync(folder)) {
    if (!UNFINISHED.test(name)) continue;
    const { mtimeMs = Date.now() } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > UNFINISHED_MS) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return old;
}
