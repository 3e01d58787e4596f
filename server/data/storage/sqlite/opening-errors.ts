/** Why a database did not open, as a sentence for the operator: what is wrong, with which file, and what to do. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { explainFileError } from '../../../platform/file-errors.ts';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { databaseFile, lockFile } from './data-dir.ts';
import { codeOf, describe } from './driver/driver.ts';

export function explainOpeningError(error: unknown, dataDir: string): string {
  if (error instanceof UnusableDatabaseError) return error.message;
  const code = codeOf(error);
  if (/^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC)/.test(code)) {
    return `The disk of the data folder ${dataDir} is full. Free some space and start again; nothing is lost.`;
  }
  const owner = explainOwner(dataDir);
  if (owner !== undefined && /^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR)|EACCES|EPERM)/.test(code))
    return `${owner}, and start again.`;
  return `The database in ${dataDir} cannot be opened: ${explainFileError(error) ?? describe(error)}`;
}

/** What to do when this process may not write the files; undefined: it may. */
export function explainOwner(dataDir: string): string | undefined {
  const file = unwritable(dataDir);
  if (file === undefined) return undefined;
  return (
    `${file} cannot be written by the user that runs Roomful (user id ${process.getuid?.()}); it belongs to user ` +
    `id ${statSync(file).uid}. Change its owner with chown, as after restoring a backup as another user`
  );
}

/** The first of the files, or the folder itself, that this process may not write. */
function unwritable(dataDir: string): string | undefined {
  const file = databaseFile(dataDir);
  return [dataDir, file, `${file}-wal`, `${file}-shm`, lockFile(dataDir)].find((path) => {
    if (!existsSync(path)) return false;
    try {
      accessSync(path, constants.W_OK);
      return false;
    } catch {
      return true;
    }
  });
}
