/**
 * Files of this machine on their way to S3, or from it for a check. The folder is made with the first one. What a process
 * left that was killed is deleted by the next one that needs the folder.
 */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, mkdtemp, open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { explainFileError } from '../../../platform/file-errors.ts';
import { PlaceError } from '../place-error.ts';
import { renewTime } from '../renewed-time.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** How often the time of a folder is renewed while it is in use. */
const RENEWED_EVERY_MS = 60_000;
/** A process that was killed has left a folder whose time is older than this. */
const LEFT_OVER_MS = 3_600_000;
/** What stays free for the database. */
const RESERVE_BYTES = 64 * 1024 * 1024;

export class Scratch {
  readonly #folder: string;
  #made: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A file without a name, which is gone when it is closed, whatever closes it. */
  async file(): Promise<FileHandle> {
    return await this.#explained(async () => {
      await this.#make();
      const folder = await mkdtemp(join(this.#folder, 'part-'));
      try {
        const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL;
        return await open(join(folder, 'bytes'), flags, FILE_MODE);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }

  /** A folder for files of so many bytes. `release` deletes it. */
  async room(bytes: number): Promise<{ path: string; release(): Promise<void> }> {
    return await this.#explained(async () => {
      await this.#make();
      const { bavail, bsize } = await statfs(this.#folder);
      if (bavail * bsize < bytes + RESERVE_BYTES)
        throw new PlaceError(
          `${this.#folder} has no space for ${bytes} bytes, which a file needs while it is checked. Make space.`,
        );
      const path = await mkdtemp(join(this.#folder, 'work-'));
      const stopRenewing = renewTime(path, RENEWED_EVERY_MS);
      return {
        path,
        release: async () => {
          stopRenewing();
          await rm(path, { recursive: true, force: true });
        },
      };
    });
  }

  #make(): Promise<void> {
    this.#made ??= this.#begin().catch((error: unknown) => {
      this.#made = undefined;
      throw error;
    });
    return this.#made;
  }

  async #begin(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const changedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => Number.POSITIVE_INFINITY,
      );
      const isOurs = name.startsWith('work-') || name.startsWith('part-');
      if (isOurs && changedAt < Date.now() - LEFT_OVER_MS) await rm(path, { recursive: true, force: true });
    }
  }

  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const sentence = explainFileError(error);
      throw sentence === undefined ? error : new PlaceError(sentence, { cause: error });
    }
  }
}
