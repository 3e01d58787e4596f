/** One data folder has one owner. */

import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { createPrivateFile, lockFile } from './data-dir.ts';
import { openForLocking } from './database.ts';
import { codeOf, type Sqlite } from './driver/driver.ts';

/** Takes the folder until the returned connection is closed or the process ends, which drops the lock. */
export function lockDataDir(dataDir: string): Sqlite {
  const file = lockFile(dataDir);
  createPrivateFile(file);
  const holder = openForLocking(file);
  try {
    holder.exec('BEGIN EXCLUSIVE');
    return holder;
  } catch (error) {
    if (!codeOf(error).startsWith('SQLITE_BUSY')) throw error;
    throw new UnusableDatabaseError(
      `Another Roomful is using the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    );
  }
}
