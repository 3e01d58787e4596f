/** What an operator should know about a data folder before it is opened, because opening it covers the traces. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFile, lockFile } from './data-dir.ts';
import { countLostCommits } from './log-damage.ts';

export function warnBeforeOpening(dataDir: string): string[] {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) return isUsed(dataDir) ? [warnOfNoDatabase(dataDir)] : [];
  const lost = countLostCommits(`${file}-wal`);
  return lost > 0 ? [warnOfDamagedLog(`${file}-wal`, lost)] : [];
}

/** A folder that a Roomful has used has its lock file, and its secret unless the setting gives one. */
function isUsed(dataDir: string): boolean {
  return existsSync(lockFile(dataDir)) || existsSync(join(dataDir, 'jwt-secret'));
}

function warnOfNoDatabase(dataDir: string): string {
  return (
    `the data folder ${dataDir} was used before, but its database is missing, so an empty one is made. ` +
    'If you did not remove it, stop the server and restore a backup (docs/OPERATIONS.md)'
  );
}

function warnOfDamagedLog(file: string, commits: number): string {
  return (
    `${file} is damaged: ${commits} commits in it cannot be read and are lost. After a power cut they were ` +
    'never confirmed to anybody. Otherwise the disk is at fault, or a copy was made while the server ran: compare ' +
    'with a backup'
  );
}
