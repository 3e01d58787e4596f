/** A folder of files with the form of FILES_DIR, into which finished files come from other such folders. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFile, syncFolder } from '../../../platform/durable.ts';
import { pathOfKey } from '../../blobs/disk.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Another disk, a file system without links, too many links, or a file of another user. */
const NO_LINK: ReadonlySet<unknown> = new Set([
  'EXDEV',
  'EPERM',
  'EMLINK',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EACCES',
]);
const READ_BYTES = 1024 * 1024;

export type Taken = 'linked' | 'copied' | 'gone';

export class FileFolder {
  readonly path: string;
  /** Folders with names that are not on the disk yet. */
  readonly #changed = new Set<string>();

  constructor(path: string) {
    this.path = path;
  }

  pathOf(key: string): string {
    return pathOfKey(this.path, key);
  }

  /** Undefined: there is none. */
  async sizeOf(key: string): Promise<number | undefined> {
    return await sizeOf(this.pathOf(key));
  }

  /**
   * Takes the file from the first of these folders. A hard link will do, as a finished file never changes: also to the
   * same file in one of the others. Otherwise it is copied. `gone`: the first folder does not have it.
   */
  async take(key: string, [first, ...others]: readonly [FileFolder, ...FileFolder[]]): Promise<Taken> {
    const target = this.pathOf(key);
    await this.#makeFolder(dirname(target));
    const coming = `${target}.new`;
    await rm(coming, { force: true });
    try {
      const how = await bring(
        coming,
        first.pathOf(key),
        others.map((other) => other.pathOf(key)),
      );
      await rename(coming, target);
      return how;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'gone';
      throw error;
    } finally {
      await rm(coming, { force: true });
    }
  }

  /** Takes a copy that shares nothing with the file. False: there is none. */
  async copy(key: string, source: FileFolder, sourceKey = key): Promise<boolean> {
    const target = this.pathOf(key);
    await this.#makeFolder(dirname(target));
    const coming = `${target}.new`;
    await rm(coming, { force: true });
    try {
      await copyDurably(source.pathOf(sourceKey), coming);
      await rename(coming, target);
      return true;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false;
      throw error;
    } finally {
      await rm(coming, { force: true });
    }
  }

  /** Takes bytes that come from elsewhere. */
  async receive(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const target = this.pathOf(key);
    await this.#makeFolder(dirname(target));
    const coming = `${target}.new`;
    await rm(coming, { force: true });
    try {
      await writeFile(coming, chunks, { flag: 'wx', mode: FILE_MODE });
      syncFile(coming);
      await rename(coming, target);
    } finally {
      await rm(coming, { force: true });
    }
  }

  /** False: it cannot be a hard link here. */
  async link(key: string, source: FileFolder): Promise<boolean> {
    const target = this.pathOf(key);
    await this.#makeFolder(dirname(target));
    return await link(source.pathOf(key), target).then(
      () => true,
      (error: unknown) => {
        if (NO_LINK.has(codeOf(error))) return false;
        throw error;
      },
    );
  }

  async sha256Of(key: string): Promise<string> {
    return await sha256Of(this.pathOf(key));
  }

  /** The names of all files that were taken are on the disk then; their bytes are before. */
  syncFolders(): void {
    for (const folder of this.#changed) syncFolder(folder);
    this.#changed.clear();
  }

  async #makeFolder(folder: string): Promise<void> {
    if (this.#changed.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    const upper = dirname(folder);
    for (const one of [folder, upper, dirname(upper)]) this.#changed.add(one);
  }
}

async function bring(
  target: string,
  source: string,
  others: readonly string[],
): Promise<'linked' | 'copied'> {
  for (const path of [source, ...others])
    try {
      await link(path, target);
      return 'linked';
    } catch (error) {
      const isMissing = codeOf(error) === 'ENOENT' && path !== source;
      if (!isMissing && !NO_LINK.has(codeOf(error))) throw error;
    }
  await copyDurably(source, target);
  return 'copied';
}

async function copyDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await chmod(target, FILE_MODE);
  syncFile(target);
}

export async function sizeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(
    ({ size }) => size,
    (error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw error;
    },
  );
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path, 'r');
  try {
    for await (const chunk of file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false }))
      hash.update(chunk);
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
