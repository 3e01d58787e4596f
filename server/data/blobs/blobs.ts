/**
 * Where the bytes of files are. Every adapter holds all of this; `blobs.contract.ts` checks it.
 *
 * - A file has one writer at a time: the features see to that. Bytes come in parts, each behind the one before. They are
 *   durable when `sync` resolves, and not before: a part that was not synced may be there, in part or not at all, and is
 *   written again.
 * - A finished file never changes. `replace` puts another one in its place, at once: a reader has the old one or the new.
 * - A full disk is `AppError` `no_space`. Every other failure of the place rejects with a sentence for the operator.
 */
import type { FilePlace } from '../storage/store.ts';

/** Bytes of one file that follow each other. */
export interface Part {
  /** Bytes that were given so far. */
  readonly written: number;
  write(chunk: Uint8Array): Promise<void>;
  /** Resolves once everything that was written is durable. */
  sync(): Promise<void>;
  /** Ends it. What was not synced may be lost. */
  close(): Promise<void>;
}

/** A file on this machine, for work that needs one. */
export interface Workspace {
  /** The bytes. They are only read. */
  path: string;
  /** Where a new version can be made, for `replace`. Nothing is there. */
  newPath: string;
  /** Deletes what is left of it. */
  release(): Promise<void>;
}

export interface Entry {
  /** A key; or a name that `delete` takes, of something that was left behind. */
  key: string;
  /** Unix milliseconds of the machine that has the bytes. */
  changedAt: number;
}

export interface Blobs {
  readonly place: FilePlace;
  /** Begins a part at `offset`, which is where the part before ended; the one at 0 makes the file. */
  append(key: string, offset: number): Promise<Part>;
  /** All parts are there: `size` bytes. From now on it can be read. */
  finish(key: string, size: number): Promise<void>;
  /** The size of a finished file; undefined: there is none. */
  size(key: string): Promise<number | undefined>;
  /** The bytes from `from` up to `to`, which is not included. Rejects when there is no such file. */
  read(key: string, range: { from: number; to: number }): Promise<AsyncIterable<Uint8Array>>;
  workspace(key: string): Promise<Workspace>;
  /** The file at `newPath` of the workspace, which is durable then, takes the place of the bytes. */
  replace(key: string, newPath: string): Promise<void>;
  /** A finished file with the bytes of the one at `path`, which stays. It has them all, or is not there. */
  store(key: string, path: string): Promise<void>;
  /** Whatever there is under the key, parts too. There may be nothing. */
  delete(key: string): Promise<void>;
  /** Everything that is there. What comes or goes meanwhile may be missing. */
  list(): AsyncIterable<Entry>;
  /** Bytes of the disk, and of those that are free; undefined: there is no limit that anybody knows. */
  space(): Promise<{ total: number; free: number } | undefined>;
}
