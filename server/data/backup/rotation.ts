/** Backups beside each other in one folder, of which the latest are kept. */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readFilesManifest, readManifest, readPostgresManifest } from './manifest.ts';

const NAME = /^roomful-\d{4}-\d{2}-\d{2}T\d{9}Z$/;
const UNFINISHED = /^roomful-\d{4}-\d{2}-\d{2}T\d{9}Z\.partial/;
/** Older leftovers are of a backup that was killed; one that is being made is younger. */
const UNFINISHED_MS = 86_400_000;

/** The name of a backup that begins at this time. Names are in the order of time. */
export function backupName(at: Date): string {
  return `roomful-${at.toISOString().replaceAll(/[:.]/g, '')}`;
}

/** The backups of a database in a folder, the latest first. Other folders, and backups of others, are none of them. */
function backupsIn(folder: string, epoch: string): string[] {
  const isOfDatabase = (name: string) => {
    const path = join(folder, name);
    return (readManifest(path) ?? readPostgresManifest(path))?.epoch === epoch;
  };
  return readdirSync(folder)
    .filter((name) => NAME.test(name) && isOfDatabase(name))
    .sort()
    .reverse();
}

/** The latest backup in a folder that has files; undefined: there is none. */
export function latestWithFiles(folder: string): string | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => NAME.test(name));
  const paths = names
    .sort()
    .reverse()
    .map((name) => join(folder, name));
  return paths.find((path) => readFilesManifest(path) !== undefined);
}

/**
 * Deletes all but the latest of the database with this epoch; the names of those that it has deleted. Another
 * installation has another epoch, and so has a restored database.
 */
export function keepLatest(folder: string, { count, epoch }: { count: number; epoch: string }): string[] {
  const old = backupsIn(folder, epoch).slice(count);
  for (const name of old) rmSync(join(folder, name), { recursive: true, force: true });
  for (const name of readdirSync(folder)) {
    if (!UNFINISHED.test(name)) continue;
    const { mtimeMs = Date.now() } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > UNFINISHED_MS) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return old;
}
