/** Files in a folder of this machine, or one that all processes share: `ab/cd/abcd…`. The first file makes it. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../../protocol/errors.ts';
import { explainFileError } from '../../platform/file-errors.ts';
import type { Blobs, Entry, Part, Workspace } from './blobs.ts';
import { Collector } from './collector.ts';
import { renewTime } from './renewed-time.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** The name of a file, or of a version that is being made. */
const NAME = /^[A-Za-z0-9_-]{4,64}((\.[0-9a-f]{12})?\.new)?$/;
/** How often the time of a version is renewed while it is being made. */
const RENEWED_EVERY_MS = 5000;
/** A process that was killed has left a version whose time is older than this. Machines may differ in their time. */
const LEFT_OVER_MS = 3_600_000;
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

export function createDiskBlobs(folder: string): Blobs {
  const pathOf = (key: string) => pathOfKey(folder, key);
  return {
    place: 'disk',
    append: (key, offset) => explained(() => DiskPart.open(folder, pathOf(key), offset)),
    finish: (key, size) =>
      explained(async () => {
        const found = (await stat(pathOf(key))).size;
        if (found !== size) throw new Error(`${pathOf(key)} has ${found} bytes, and should have ${size}`);
      }),
    size: (key) => explained(async () => (await statOf(pathOf(key)))?.size),
    read: (key, range) => explained(() => readRange(pathOf(key), range)),
    workspace: (key) => explained(() => workspaceOf(pathOf(key))),
    replace: (key, newPath) =>
      explained(async () => {
        await sync(newPath);
        await rename(newPath, pathOf(key));
        await sync(dirname(pathOf(key)));
      }),
    store: (key, path) => explained(() => storeCopy(folder, pathOf(key), path)),
    delete: (key) => explained(() => rm(pathOf(key), { force: true })),
    list: () => listed(folder),
    space: () =>
      explained(async () => {
        const { blocks, bavail, bsize } = await statfs(await nearest(folder));
        return { total: blocks * bsize, free: bavail * bsize };
      }),
  };
}

/** Where a file is in such a folder. Throws when it is no name of one. */
export function pathOfKey(folder: string, key: string): string {
  if (!NAME.test(key)) throw new Error(`${JSON.stringify(key)} is no key of a file`);
  return join(folder, key.slice(0, 2), key.slice(2, 4), key);
}

class DiskPart implements Part {
  readonly #file: FileHandle;
  readonly #collector = new Collector();
  #position: number;
  #written = 0;

  private constructor(file: FileHandle, offset: number) {
    this.#file = file;
    this.#position = offset;
  }

  static async open(folder: string, path: string, offset: number): Promise<DiskPart> {
    if (offset > 0) return new DiskPart(await open(path, 'r+', FILE_MODE), offset);
    const syncFolders = await makeFolders(folder, dirname(path));
    // Not truncated: of two writers the slower one must not take bytes away.
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, FILE_MODE);
    try {
      await syncFolders();
    } catch (error) {
      await file.close();
      throw error;
    }
    return new DiskPart(file, 0);
  }

  get written(): number {
    return this.#written;
  }

  async write(chunk: Uint8Array): Promise<void> {
    this.#written += chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      rest = rest.subarray(this.#collector.take(rest));
      if (this.#collector.isFull) await explained(() => this.#flush());
    }
  }

  async sync(): Promise<void> {
    await explained(async () => {
      await this.#flush();
      await this.#file.datasync();
    });
  }

  async close(): Promise<void> {
    this.#collector.release();
    await this.#file.close();
  }

  async #flush(): Promise<void> {
    const { bytes } = this.#collector;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, this.#position);
      at += bytesWritten;
      this.#position += bytesWritten;
    }
    this.#collector.clear();
  }
}

/** Returns what makes the names durable: that of a new file, and of the folders that it needed. */
async function makeFolders(folder: string, parent: string): Promise<() => Promise<void>> {
  const made = await mkdir(parent, { recursive: true, mode: FOLDER_MODE });
  return async () => {
    await sync(parent);
    if (made !== undefined) for (const above of foldersAbove(parent, made, folder)) await sync(above);
  };
}

async function storeCopy(folder: string, path: string, from: string): Promise<void> {
  const syncFolders = await makeFolders(folder, dirname(path));
  const coming = await newVersionOf(path);
  try {
    await copyFile(from, coming, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await chmod(coming, FILE_MODE);
    await sync(coming);
    await rename(coming, path);
  } finally {
    await rm(coming, { force: true });
  }
  await syncFolders();
}

/** The folders that have a new entry when `made` was the first that had to be made, the upper ones last. */
function foldersAbove(parent: string, made: string, folder: string): string[] {
  const above: string[] = [];
  const end = dirname(resolve(made));
  for (let at = dirname(resolve(parent)); ; at = dirname(at)) {
    above.push(at);
    // Folders above that of the settings may be none that this user can open.
    if (at === end || at === dirname(at) || at === dirname(resolve(folder))) return above;
  }
}

async function* readRange(path: string, { from, to }: { from: number; to: number }) {
  const file = await open(path, 'r');
  try {
    if (to > from) yield* file.createReadStream({ start: from, end: to - 1, autoClose: false });
  } finally {
    await file.close();
  }
}

/**
 * A name for a version that is being made, which nobody else has: two processes may make one of the same file, and
 * neither may put half of the other's into its place. What killed processes left of this file is deleted.
 */
async function newVersionOf(path: string): Promise<string> {
  const start = `${basename(path)}.`;
  for await (const { name } of entriesOf(dirname(path))) {
    if (!name.startsWith(start) || !NAME.test(name)) continue;
    const leftOver = join(dirname(path), name);
    const changedAt = (await statOf(leftOver))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (changedAt < Date.now() - LEFT_OVER_MS) await rm(leftOver, { force: true });
  }
  return `${path}.${randomBytes(6).toString('hex')}.new`;
}

async function workspaceOf(path: string): Promise<Workspace> {
  const newPath = await newVersionOf(path);
  const stopRenewing = renewTime(newPath, RENEWED_EVERY_MS);
  return {
    path,
    newPath,
    release: async () => {
      stopRenewing();
      await rm(newPath, { force: true });
    },
  };
}

async function* listed(folder: string): AsyncGenerator<Entry> {
  for await (const upper of foldersIn(folder))
    for await (const lower of foldersIn(join(folder, upper)))
      for await (const { name } of entriesOf(join(folder, upper, lower))) {
        const found = NAME.test(name) ? await statOf(join(folder, upper, lower, name)) : undefined;
        if (found?.isFile()) yield { key: name, changedAt: found.mtimeMs };
      }
}

async function* foldersIn(folder: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder))
    if (entry.isDirectory() && entry.name.length === 2) yield entry.name;
}

async function* entriesOf(folder: string) {
  const opened = await opendir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw toSentence(error);
  });
  if (opened) yield* opened;
}

async function nearest(folder: string): Promise<string> {
  let at = resolve(folder);
  while ((await statOf(at)) === undefined && at !== dirname(at)) at = dirname(at);
  return at;
}

async function statOf(path: string) {
  return await stat(path).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function explained<T>(work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toSentence(error);
  }
}

function toSentence(error: unknown): unknown {
  if (FULL.has(codeOf(error))) return new AppError('no_space', { cause: error, retryAfterMs: 60_000 });
  const sentence = explainFileError(error);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
