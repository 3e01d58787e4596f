/**
 * Notices that an open file was deleted, moved or replaced. The system keeps a deleted file as long as it is open,
 * so commits would succeed and be lost at the end of the process.
 */
import { type BigIntStats, statSync } from 'node:fs';

export class FileWatch {
  readonly #files: { path: string; opened: BigIntStats }[];

  /** The files must be there, as this process has them open. */
  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => ({ path, opened: statSync(path, { bigint: true }) }));
  }

  /** The first file that is no longer at its path. Takes a few microseconds. */
  missing(): string | undefined {
    return this.#files.find(({ path, opened }) => {
      const now = statSync(path, { bigint: true, throwIfNoEntry: false });
      return now?.ino !== opened.ino || now.dev !== opened.dev;
    })?.path;
  }
}
