/**
 * Moves the bytes of files from one place to another while people use them. The bytes are at both places when the row
 * changes, and at the old one no longer than that. It can end at any point, and begin again.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Places } from '../../data/blobs/places.ts';
import type { FilePlace } from '../../data/storage/store.ts';

export interface MovableFile {
  key: string;
  size: number;
  sha256: string;
}

export interface MoveParts {
  places: Places;
  from: FilePlace;
  to: FilePlace;
  /** Files whose rows name this place, in pages. */
  filesAt(place: FilePlace): AsyncIterable<readonly MovableFile[]>;
  /** The row names the new place from now on. False: the file was deleted. */
  moved(key: string): Promise<boolean>;
}

export interface Moved {
  files: number;
  bytes: number;
  /** Keys of files whose bytes are not there, or not those that were checked. They stay where they are. */
  damaged: string[];
}

export async function moveFiles(parts: MoveParts): Promise<Moved> {
  const { places, from, to, filesAt } = parts;
  const moved: Moved = { files: 0, bytes: 0, damaged: [] };
  for await (const page of filesAt(from))
    for (const file of page) {
      const outcome = await moveOne(parts, file);
      if (outcome === 'damaged') moved.damaged.push(file.key);
      if (outcome !== 'moved') continue;
      moved.files++;
      moved.bytes += file.size;
    }
  // What an earlier move left, which ended between the row and the bytes.
  const source = places.of(from);
  const left = new Set<string>();
  for await (const { key } of source.list()) left.add(key);
  if (left.size > 0)
    for await (const page of filesAt(to))
      for (const { key, size } of page)
        if (left.has(key) && (await places.of(to).size(key)) === size) await source.delete(key);
  return moved;
}

async function moveOne(
  { places, from, to, moved }: MoveParts,
  { key, size, sha256 }: MovableFile,
): Promise<'moved' | 'deleted' | 'damaged'> {
  const [source, target] = [places.of(from), places.of(to)];
  // One that is there was put there whole, by a move that ended before the row changed, or before a restore.
  if ((await target.size(key)) !== size) {
    if ((await source.size(key)) === undefined) return 'damaged';
    const workspace = await source.workspace(key);
    try {
      if ((await hashOf(workspace.path)) !== sha256) return 'damaged';
      await target.store(key, workspace.path);
    } finally {
      await workspace.release();
    }
  }
  if (!(await moved(key))) {
    await target.delete(key);
    return 'deleted';
  }
  await source.delete(key);
  return 'moved';
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
