/** The rows of files, read page by page in any database. */
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Query } from '../verify.ts';

export interface FileEntry {
  key: string;
  state: string;
  /** Of a complete file; of another one, of what it is to become. */
  size: number;
  received: number;
  place: string;
  /** Known once the file was checked. */
  sha256: string | null;
}

const PAGE = 500;
const KEY = /^[A-Za-z0-9_-]{22}$/;
const COLUMNS = 'key, state, size, received, sha256, place';

/** Files whose bytes are all there. Those that are `checking` may still be replaced by what the check makes of them. */
export const COMPLETE: ReadonlySet<string> = new Set(['ready', 'checking']);

/** All rows by key, in pages. */
export async function* pagesOfFiles(query: Query): AsyncGenerator<FileEntry[], void> {
  for (let after = ''; ; ) {
    const rows = await query(
      `SELECT ${COLUMNS} FROM files WHERE key > '${after}' ORDER BY key LIMIT ${PAGE}`,
    );
    const page = rows.map(toEntry);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.key;
  }
}

/** The rows that these keys have now. */
export async function filesWith(query: Query, keys: readonly string[]): Promise<Map<string, FileEntry>> {
  const found = new Map<string, FileEntry>();
  for (let at = 0; at < keys.length; at += PAGE) {
    const names = keys.slice(at, at + PAGE).filter((key) => KEY.test(key));
    if (names.length === 0) continue;
    const rows = await query(`SELECT ${COLUMNS} FROM files WHERE key IN ('${names.join("','")}')`);
    for (const row of rows) found.set(String(row.key), toEntry(row));
  }
  return found;
}

/** Files that are complete, and their bytes; `inBucket`: those of them that are in S3. */
export async function countFiles(query: Query): Promise<{ files: number; bytes: number; inBucket: number }> {
  const [row] = await query(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes,
      coalesce(sum(CASE place WHEN 's3' THEN size ELSE 0 END), 0) AS in_bucket
    FROM files WHERE state IN ('ready', 'checking')`,
  );
  return { files: Number(row?.files), bytes: Number(row?.bytes), inBucket: Number(row?.in_bucket) };
}

/** The bucket of files that are in S3. Throws a sentence when the settings have none. */
export function bucketOf(bucket: Blobs | undefined): Blobs {
  if (bucket) return bucket;
  throw new UnusableDatabaseError(
    'Files are in a bucket of S3. Set S3_URL and its keys as for the server, or leave files out.',
  );
}

function toEntry(row: Record<string, unknown>): FileEntry {
  const { key, state, size, received, sha256, place } = row;
  // It becomes a part of statements and paths.
  if (!KEY.test(String(key))) throw new Error(`${JSON.stringify(key)} is no key of a file`);
  return {
    ...{ key: String(key), state: String(state), size: Number(size), received: Number(received) },
    place: String(place),
    sha256: sha256 === null ? null : String(sha256),
  };
}
