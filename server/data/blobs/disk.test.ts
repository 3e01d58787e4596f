import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeBlobs } from './blobs.contract.ts';
import { createDiskBlobs } from './disk.ts';

const scratch = () => mkdtemp(join(tmpdir(), 'roomful-blobs-'));

describeBlobs('disk', async () => {
  const folder = await scratch();
  return {
    blobs: createDiskBlobs(join(folder, 'data', 'files')),
    dispose: () => rm(folder, { recursive: true }),
  };
});

describe('files on a disk', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await scratch();
  });
  afterEach(async () => {
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true });
  });

  async function store(root: string, key: string): Promise<string> {
    const part = await createDiskBlobs(root).append(key, 0);
    await part.write(Buffer.from('text'));
    await part.sync();
    await part.close();
    return join(root, key.slice(0, 2), key.slice(2, 4), key);
  }

  it('the folder is made with the first file, and nobody else may open it or its files', async () => {
    const root = join(folder, 'files');
    const blobs = createDiskBlobs(root);
    await blobs.space();
    for await (const _ of blobs.list()) expect.unreachable();
    expect(await readdir(folder)).toEqual([]);
    const path = await store(root, randomBytes(16).toString('base64url'));
    const modes = [root, join(path, '..'), join(path, '..', '..'), path].map(
      async (at) => (await stat(at)).mode & 0o777,
    );
    expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o700, 0o600]);
  });

  it('what a check left behind is listed by a name that can be deleted', async () => {
    const path = await store(folder, 'abcdefghijklmnopqrstuv');
    await writeFile(`${path}.0123456789ab.new`, 'half');
    await writeFile(join(folder, 'notes of the operator.txt'), 'mine');
    await utimes(`${path}.0123456789ab.new`, 1000, 1000);
    const blobs = createDiskBlobs(folder);
    const found = [];
    for await (const entry of blobs.list()) found.push(entry);
    expect(found.map(({ key }) => key).sort()).toEqual([
      'abcdefghijklmnopqrstuv',
      'abcdefghijklmnopqrstuv.0123456789ab.new',
    ]);
    expect(found.find(({ key }) => key.endsWith('.new'))?.changedAt).toBe(1_000_000);
    await blobs.delete('abcdefghijklmnopqrstuv.0123456789ab.new');
    expect(await readdir(join(path, '..'))).toEqual(['abcdefghijklmnopqrstuv']);
  });

  it('what killed processes left of a file goes with its next new version, and what others make stays', async () => {
    const path = await store(folder, 'abcdefghijklmnopqrstuv');
    const blobs = createDiskBlobs(folder);
    const other = await blobs.workspace('abcdefghijklmnopqrstuv');
    await writeFile(other.newPath, 'half');
    // The other one's machine may have another time.
    const earlier = Date.now() / 1000 - 600;
    await utimes(other.newPath, earlier, earlier);
    for (const name of [`${path}.new`, `${path}.0123456789ab.new`, `${path}-other.new`]) {
      await writeFile(name, 'half');
      await utimes(name, 1000, 1000);
    }
    const again = await blobs.workspace('abcdefghijklmnopqrstuv');
    expect((await readdir(join(path, '..'))).sort()).toEqual(
      ['abcdefghijklmnopqrstuv', 'abcdefghijklmnopqrstuv-other.new', basename(other.newPath)].sort(),
    );
    for (const workspace of [other, again]) await workspace.release();
  });

  it('a folder that is a file is refused with a sentence for the operator', async () => {
    await writeFile(join(folder, 'files'), 'a file');
    await expect(store(join(folder, 'files'), 'abcdefghijklmnopqrstuv')).rejects.toThrow(
      'a part of this path is a file. Name a folder.',
    );
  });
});
