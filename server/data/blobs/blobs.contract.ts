import { randomBytes } from 'node:crypto';
import { access, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Blobs } from './blobs.ts';

export interface BlobsUnderTest {
  readonly blobs: Blobs;
  dispose(): Promise<void>;
}

const newKey = () => randomBytes(16).toString('base64url');

/** What every place of files promises; run over each adapter. */
export function describeBlobs(name: string, open: () => Promise<BlobsUnderTest>): void {
  describe(`Blobs contract: ${name}`, () => {
    let subject: BlobsUnderTest;
    let blobs: Blobs;
    beforeAll(async () => {
      subject = await open();
      blobs = subject.blobs;
    });
    afterAll(async () => await subject?.dispose());

    async function append(key: string, offset: number, ...chunks: Uint8Array[]): Promise<void> {
      const part = await blobs.append(key, offset);
      for (const chunk of chunks) await part.write(chunk);
      expect(part.written).toBe(chunks.reduce((sum, { length }) => sum + length, 0));
      await part.sync();
      await part.close();
    }

    /** A finished file with these bytes. */
    async function store(bytes: Uint8Array): Promise<string> {
      const key = newKey();
      await append(key, 0, bytes);
      await blobs.finish(key, bytes.length);
      return key;
    }

    async function read(key: string, from: number, to: number): Promise<Buffer> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of await blobs.read(key, { from, to })) chunks.push(chunk);
      return Buffer.concat(chunks);
    }

    async function keys(): Promise<string[]> {
      const found: string[] = [];
      for await (const { key } of blobs.list()) found.push(key);
      return found;
    }

    it('before the first file nothing is there, and that is no error', async () => {
      expect(await keys()).toEqual([]);
      expect(await blobs.size(newKey())).toBeUndefined();
      await blobs.delete(newKey());
      const space = await blobs.space();
      if (space) expect(space.total).toBeGreaterThanOrEqual(space.free);
    });

    it('parts of any size follow each other, and are one file', async () => {
      const bytes = randomBytes(700_001);
      const key = newKey();
      const ends = [1, 2, 65_536, 65_537, 400_000, 700_001];
      let from = 0;
      for (const to of ends) {
        const middle = from + Math.floor((to - from) / 2);
        await append(key, from, bytes.subarray(from, middle), bytes.subarray(middle, to));
        from = to;
      }
      await blobs.finish(key, bytes.length);
      expect(await blobs.size(key)).toBe(bytes.length);
      expect((await read(key, 0, bytes.length)).equals(bytes)).toBe(true);
    });

    it('what a cut part left behind is written over', async () => {
      const bytes = randomBytes(300_000);
      const key = newKey();
      await append(key, 0, bytes.subarray(0, 100_000));
      const cut = await blobs.append(key, 100_000);
      await cut.write(randomBytes(150_000));
      await cut.close();
      await append(key, 100_000, bytes.subarray(100_000));
      await blobs.finish(key, bytes.length);
      expect((await read(key, 0, bytes.length)).equals(bytes)).toBe(true);
    });

    it('a part that begins again at 0 takes nothing away behind it', async () => {
      const bytes = randomBytes(50_000);
      const key = newKey();
      await append(key, 0, bytes);
      await append(key, 0, bytes.subarray(0, 10));
      await blobs.finish(key, bytes.length);
      expect((await read(key, 0, bytes.length)).equals(bytes)).toBe(true);
    });

    it('an empty file is a file', async () => {
      const key = await store(new Uint8Array());
      expect(await blobs.size(key)).toBe(0);
      expect(await read(key, 0, 0)).toHaveLength(0);
      expect(await keys()).toContain(key);
    });

    it('a file with a byte too few is not finished', async () => {
      const key = newKey();
      await append(key, 0, randomBytes(9));
      await expect(blobs.finish(key, 10)).rejects.toThrow();
    });

    it.each([
      [0, 1],
      [1, 1],
      [99_999, 100_000],
      [12_345, 98_765],
    ])('reads from %d up to %d', async (from, to) => {
      const bytes = randomBytes(100_000);
      const key = await store(bytes);
      expect((await read(key, from, to)).equals(bytes.subarray(from, to))).toBe(true);
    });

    it('a reader that goes away in the middle leaves the file to others', async () => {
      const bytes = randomBytes(1_000_000);
      const key = await store(bytes);
      for await (const chunk of await blobs.read(key, { from: 0, to: bytes.length })) {
        expect(chunk.length).toBeGreaterThan(0);
        break;
      }
      expect((await read(key, 0, bytes.length)).equals(bytes)).toBe(true);
    });

    it('reading what is not there rejects', async () => {
      await expect(read(newKey(), 0, 1)).rejects.toThrow();
    });

    it('a new version takes the place of the old one, for the readers after it', async () => {
      const [before, after] = [randomBytes(300_000), randomBytes(10)];
      const key = await store(before);
      const workspace = await blobs.workspace(key);
      expect((await readFile(workspace.path)).equals(before)).toBe(true);
      const reader = (await blobs.read(key, { from: 0, to: before.length }))[Symbol.asyncIterator]();
      const chunks = [(await reader.next()).value as Uint8Array];
      await writeFile(workspace.newPath, after);
      await blobs.replace(key, workspace.newPath);
      await workspace.release();
      for (let next = await reader.next(); !next.done; next = await reader.next()) chunks.push(next.value);
      expect(Buffer.concat(chunks).equals(before)).toBe(true);
      expect(await blobs.size(key)).toBe(10);
      expect((await read(key, 0, 10)).equals(after)).toBe(true);
    });

    it('a whole file is stored, which stays, also over a part of it', async () => {
      const bytes = randomBytes(300_000);
      const [whole, other] = [await store(bytes), newKey()];
      const workspace = await blobs.workspace(whole);
      await append(other, 0, bytes.subarray(0, 10));
      await blobs.store(other, workspace.path);
      await workspace.release();
      expect(await blobs.size(other)).toBe(bytes.length);
      for (const key of [whole, other]) expect((await read(key, 0, bytes.length)).equals(bytes)).toBe(true);
    });

    it('a workspace that is given back leaves nothing, and the bytes as they were', async () => {
      const bytes = randomBytes(10);
      const key = await store(bytes);
      const workspace = await blobs.workspace(key);
      await expect(access(workspace.newPath)).rejects.toThrow();
      await writeFile(workspace.newPath, 'half a file');
      await workspace.release();
      expect(await read(key, 0, 10)).toEqual(bytes);
      expect((await keys()).filter((found) => found.startsWith(key))).toEqual([key]);
    });

    it('two workspaces of one file do not touch each other: half a version never takes its place', async () => {
      const [before, after] = [randomBytes(300_000), randomBytes(200_000)];
      const key = await store(before);
      const [first, second] = [await blobs.workspace(key), await blobs.workspace(key)];
      await writeFile(first.newPath, after);
      await writeFile(second.newPath, after.subarray(0, 10));
      await blobs.replace(key, first.newPath);
      await first.release();
      expect(await blobs.size(key)).toBe(after.length);
      await writeFile(second.newPath, after);
      await blobs.replace(key, second.newPath);
      await second.release();
      expect((await read(key, 0, after.length)).equals(after)).toBe(true);
      expect((await keys()).filter((found) => found.startsWith(key))).toEqual([key]);
    });

    it('a file that is stored three times at once is whole after each', async () => {
      const bytes = randomBytes(2_000_000);
      const [whole, other] = [await store(bytes), newKey()];
      const workspace = await blobs.workspace(whole);
      const sizes = await Promise.all(
        [0, 1, 2].map(async () => {
          await blobs.store(other, workspace.path);
          return await blobs.size(other);
        }),
      );
      await workspace.release();
      expect(sizes).toEqual([0, 1, 2].map(() => bytes.length));
      expect((await read(other, 0, bytes.length)).equals(bytes)).toBe(true);
      expect((await keys()).filter((found) => found.startsWith(other))).toEqual([other]);
    });

    it('lists every file once with the time of its last change, until it is deleted; other files stay', async () => {
      const [first, second] = [await store(randomBytes(5)), await store(randomBytes(5))];
      const unfinished = newKey();
      await append(unfinished, 0, randomBytes(5));
      expect(new Set(await keys())).toEqual(new Set([...(await keys()), first, second, unfinished]));
      for await (const { key, changedAt } of blobs.list())
        if (key === first) expect(Math.abs(changedAt - Date.now())).toBeLessThan(3_600_000);
      for (const key of [first, unfinished, first]) await blobs.delete(key);
      expect(await blobs.size(first)).toBeUndefined();
      expect(await keys()).not.toContain(unfinished);
      expect(await keys()).toContain(second);
    });

    it('a name that is no key reaches nothing', async () => {
      for (const name of ['', '..', '../../etc/passwd', 'ab/cd', `${newKey()}/..`, 'abcd\0']) {
        await expect(Promise.resolve().then(() => blobs.delete(name))).rejects.toThrow();
        await expect(Promise.resolve().then(() => read(name, 0, 1))).rejects.toThrow();
      }
    });
  });
}
