/** Puts the files of a backup back into FILES_DIR. What is there stays: a key names the same bytes for ever. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { UnusableDatabaseError } from '../../../platform/unusable-database.ts';
import { createDiskBlobs } from '../../blobs/disk.ts';
import { FILE_HASHES, FILES, type FilesManifest, sha256Of } from '../manifest.ts';
import { FileFolder } from './folder.ts';

const LINE = /^([0-9a-f]{64}) {2}[A-Za-z0-9_-]{2}\/[A-Za-z0-9_-]{2}\/([A-Za-z0-9_-]{22})$/;

export interface FilesToPlace {
  /** The folder of the backup. */
  from: string;
  manifest: FilesManifest;
  /** FILES_DIR; undefined: it is only looked whether the backup has them all. */
  to: string | undefined;
  onProgress(done: number, all: number): void;
}

/** Throws a sentence when the backup does not have all its files. Files that are there already stay. */
export async function placeFiles({ from, manifest, to, onProgress }: FilesToPlace): Promise<void> {
  if (manifest.sha256 === '') return;
  const list = join(from, FILE_HASHES);
  if ((await sha256Of(list).catch(() => '')) !== manifest.sha256)
    throw new UnusableDatabaseError(`The backup is damaged: ${FILE_HASHES} is not the one of its manifest.`);
  const source = new FileFolder(join(from, FILES));
  const target = to === undefined ? undefined : new FileFolder(to);
  let done = 0;
  let bytes = 0;
  for await (const text of createInterface({
    input: createReadStream(list),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const [, hash = '', key = ''] = LINE.exec(text) ?? [];
    const size = key === '' ? undefined : await source.sizeOf(key);
    if (size === undefined)
      throw new UnusableDatabaseError(
        `The backup is damaged: its file ${key || JSON.stringify(text)} is missing.`,
      );
    bytes += size;
    if (target && (await target.sizeOf(key)) !== size) {
      const how = await target.take(key, [source]);
      // What is read anyway is compared; a link has the bytes of the backup.
      if (how === 'copied' && (await target.sha256Of(key)) !== hash)
        throw new UnusableDatabaseError(
          `The backup is damaged: its file ${key} has other bytes than when it was made.`,
        );
    }
    if (++done % 100 === 0) onProgress(done, manifest.count);
  }
  if (done !== manifest.count || bytes !== manifest.bytes)
    throw new UnusableDatabaseError('The backup is damaged: its files are not those of its manifest.');
  target?.syncFolders();
}

/** Keeps the files of a folder in another one, as hard links. Returns how many cannot be linked. */
export async function linkFiles(from: string, to: string): Promise<number> {
  const source = new FileFolder(from);
  const target = new FileFolder(to);
  let left = 0;
  for await (const { key } of createDiskBlobs(from).list()) if (!(await target.link(key, source))) left++;
  target.syncFolders();
  return left;
}
