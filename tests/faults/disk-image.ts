/**
 * A state that a disk may have after a power cut: everything that was synced, and of the rest what the seed gives.
 * Writes that were not synced may be there, missing or torn, in any combination. For files that were created or removed
 * since the folder was last synced, the folder may have the old names or the new ones.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Random } from '../support/random.ts';
import type { DiskCall } from './disk-recording.ts';

const SECTOR_BYTES = 512;

type Change = { kind: 'write'; offset: number; data: Buffer } | { kind: 'truncate'; length: number };

/** A file apart from its name. */
interface Inode {
  synced: Buffer;
  unsynced: Change[];
}

type Names = Map<string, Inode>;

export class DiskImage {
  readonly #folder: string;
  #syncedNames: Names = new Map();
  readonly #names: Names = new Map();
  /** The states of the folder since it was last synced, the current one last. */
  #unsyncedNames: Names[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Applies a call. Calls must be passed in the order in which they ended. */
  apply(call: DiskCall): void {
    switch (call.kind) {
      case 'create':
        if (this.#names.has(call.path)) return;
        this.#names.set(call.path, { synced: Buffer.alloc(0), unsynced: [] });
        this.#unsyncedNames.push(new Map(this.#names));
        return;
      case 'unlink':
        this.#names.delete(call.path);
        this.#unsyncedNames.push(new Map(this.#names));
        return;
      case 'write':
      case 'truncate':
        this.#names.get(call.path)?.unsynced.push(call);
        return;
      case 'sync':
        if (call.path === this.#folder) {
          this.#syncedNames = new Map(this.#names);
          this.#unsyncedNames = [];
          return;
        }
        this.#sync(call.path);
        return;
    }
  }

  /** Writes to `folder` one of the states that a power cut at this moment could leave. */
  async write(folder: string, random: Random): Promise<void> {
    await mkdir(folder, { recursive: true });
    const names =
      this.#unsyncedNames[random.integer(-1, this.#unsyncedNames.length - 1)] ?? this.#syncedNames;
    // None, all or some of the writes, each with the same probability.
    const share = [0, 1, random.next()][random.integer(0, 2)] ?? 0;
    for (const [path, { synced, unsynced }] of names) {
      let content: Buffer = Buffer.from(synced);
      for (const change of unsynced) {
        if (random.next() < share) content = changed(content, change);
        else if (random.next() < 0.1) content = torn(content, change, random);
      }
      await writeFile(join(folder, basename(path)), content);
    }
  }

  #sync(path: string): void {
    const inode = this.#names.get(path);
    if (!inode) return;
    for (const change of inode.unsynced) inode.synced = changed(inode.synced, change);
    inode.unsynced = [];
  }
}

/** Applies the change, and returns the content. May change the buffer in place. */
function changed(content: Buffer, change: Change): Buffer {
  if (change.kind === 'truncate') return resized(content, change.length);
  const { offset, data } = change;
  const result = content.length < offset + data.length ? resized(content, offset + data.length) : content;
  data.copy(result, offset);
  return result;
}

/** Applies some sectors of a write, in any combination. */
function torn(content: Buffer, change: Change, random: Random): Buffer {
  if (change.kind === 'truncate') return content;
  const { offset, data } = change;
  let result = content;
  for (let at = 0; at < data.length; at += SECTOR_BYTES) {
    if (random.next() < 0.5) continue;
    const sector = data.subarray(at, at + SECTOR_BYTES);
    result = changed(result, { kind: 'write', offset: offset + at, data: sector });
  }
  return result;
}

/** Cuts the file, or extends it with zeros, as a hole does. */
function resized(content: Buffer, length: number): Buffer {
  if (length <= content.length) return content.subarray(0, length);
  const result = Buffer.alloc(length);
  content.copy(result);
  return result;
}
