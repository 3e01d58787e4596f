/**
 * The bytes of files beside their rows in `files.jsonl`: in `files/`, in the form of FILES_DIR. They are copies, and
 * never links: other programs may change what they read.
 */
import { join } from 'node:path';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';
import { FileFolder } from '../backup/files/folder.ts';
import { bucketOf } from '../backup/files/rows.ts';
import { FILES, fileKey } from '../backup/manifest.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Row } from '../storage/copy/source.ts';
import { type ExportTable, fileOf } from './format.ts';
import { readRows } from './lines.ts';
import type { ExportedBytes, Manifest } from './manifest.ts';
import { pagesOf, type Snapshot } from './snapshot.ts';

/** States of files that have bytes. */
const WITH_BYTES: ReadonlySet<unknown> = new Set(['ready', 'checking']);

export interface BytesToWrite {
  /** FILES_DIR. */
  from: string;
  /** What has the files that are in S3. */
  bucket?: Blobs | undefined;
  /** The folder of the export. */
  to: string;
  onProgress(done: number, all: number): void;
}

/** What was deleted since the rows were read is missing, and the manifest names it. */
export async function writeBytes(
  snapshot: Snapshot,
  table: ExportTable,
  { from, bucket, to, onProgress }: BytesToWrite,
): Promise<ExportedBytes> {
  const source = new FileFolder(from);
  const target = new FileFolder(join(to, FILES));
  const all = await snapshot.count(table);
  const written: ExportedBytes = { count: 0, bytes: 0, missing: [] };
  for await (const rows of pagesOf(snapshot, table))
    for (const { key, state, place } of rows) {
      if (!WITH_BYTES.has(state)) continue;
      const name = fileKey.parse(key);
      const isThere =
        place === 's3' ? await fetchBytes(name, bucketOf(bucket), target) : await target.copy(name, source);
      if (isThere) {
        written.count++;
        written.bytes += (await target.sizeOf(name)) ?? 0;
      } else written.missing.push(name);
      onProgress(written.count, all);
    }
  target.syncFolders();
  return written;
}

async function fetchBytes(key: string, bucket: Blobs, target: FileFolder): Promise<boolean> {
  const to = await bucket.size(key);
  if (to === undefined) return false;
  await target.receive(key, await bucket.read(key, { from: 0, to }));
  return true;
}

export interface BytesToPlace {
  /** The folder of the export. */
  from: string;
  manifest: Manifest;
  table: ExportTable;
  /** FILES_DIR. */
  to: string;
  onProgress(done: number, all: number): void;
}

/** Puts the bytes into FILES_DIR. Throws a sentence for the first file that is not the one of its line. */
export async function placeBytes({ from, manifest, table, to, onProgress }: BytesToPlace): Promise<void> {
  const { bytes } = manifest;
  if (bytes === null) return;
  const missing = new Set(bytes.missing);
  const source = new FileFolder(join(from, FILES));
  const target = new FileFolder(to);
  let done = 0;
  for await (const { rows, line } of readRows(from, table, manifest))
    for (const [index, { key, state, size, sha256 }] of rows.entries()) {
      const name = fileKey.safeParse(key).data;
      const wrong = (what: string) =>
        new UnusableDatabaseError(`${fileOf(table.name)}, line ${line + index}: ${what}.`);
      if (name === undefined) throw wrong('"key" is no key of a file');
      if (!WITH_BYTES.has(state) || missing.has(name)) continue;
      const found = await source.sizeOf(name);
      if (found === undefined) throw wrong('the export does not have its bytes');
      const isThere = (await target.sizeOf(name)) === found && (await target.sha256Of(name)) === sha256;
      if (!isThere) await target.copy(name, source);
      if (state === 'ready' && (found !== size || (!isThere && (await target.sha256Of(name)) !== sha256)))
        throw wrong('its bytes are not those of "sha256"');
      onProgress(++done, bytes.count);
    }
  target.syncFolders();
}

/** The bytes are in FILES_DIR, wherever they were. Of a file whose bytes are missing only the name is left, in its message. */
export function asImported(table: ExportTable, rows: Row[], { bytes }: Manifest): Row[] {
  if (table.name !== FILES || bytes === null) return rows;
  const missing = new Set<unknown>(bytes.missing);
  return rows.map((row) => ({ ...row, place: 'disk', ...(missing.has(row.key) && { state: 'deleted' }) }));
}
