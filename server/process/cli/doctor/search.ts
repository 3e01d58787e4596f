/** Checks of the index of the search. */
import { existsSync } from 'node:fs';
import { readFile } from '../../../data/backup/sqlite-file.ts';
import { databaseFile, searchFile } from '../../../data/storage/sqlite/data-dir.ts';
import { readMeta } from '../../../data/storage/sqlite/migrate.ts';
import { type Check, ok, reasonOf, warning } from './check.ts';

const NAME = 'search';

/** As the index keeps it, in either database. */
export interface IndexRow {
  /** Messages before this one are not in it yet; null: none is. */
  fromId: number | null;
  /** Unix milliseconds. */
  since: number | null;
}

export async function checkIndexFile(dataDir: string): Promise<Check> {
  const file = searchFile(dataDir);
  if (!existsSync(file)) return checkIndex(undefined);
  try {
    const epoch = await readFile(databaseFile(dataDir), (sqlite) => readMeta(sqlite, 'epoch'));
    return await readFile(file, (sqlite) => {
      const select = 'SELECT epoch, from_id AS fromId, since FROM meta';
      const row = sqlite.prepare<[], IndexRow & { epoch: string }>(select).get();
      if (row && row.epoch !== epoch)
        return ok(
          NAME,
          'The index is that of the database before it was restored; the server makes it anew.',
        );
      return checkIndex(row);
    });
  } catch (error) {
    return warning(
      NAME,
      `${file} cannot be read: ${reasonOf(error)}. The server makes a damaged one anew; see its log.`,
    );
  }
}

export function checkIndex(row: IndexRow | undefined): Check {
  if (row === undefined || row.fromId === null)
    return ok(NAME, 'There is no index yet; the server makes it, from the newest messages back.');
  if (row.fromId === 0) return ok(NAME, 'All messages are in the index.');
  const since = row.since === null ? 'the newest messages' : new Date(row.since).toISOString();
  return ok(NAME, `The server is filling the index: it reaches back to ${since}.`);
}
