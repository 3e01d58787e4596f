/** Files in a bucket (server/data/blobs/s3/), on a real S3. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../protocol/errors.ts';
import { describeBlobs } from '../../server/data/blobs/blobs.contract.ts';
import type { Blobs } from '../../server/data/blobs/blobs.ts';
import { Client } from '../../server/data/blobs/s3/client.ts';
import { Objects } from '../../server/data/blobs/s3/objects.ts';
import { S3Blobs } from '../../server/data/blobs/s3/s3.ts';
import type { S3Settings } from '../../server/platform/config.ts';
import { S3Server, whyNoS3 } from '../support/s3-server.ts';

const MIB = 1024 * 1024;
const newKey = () => randomBytes(16).toString('base64url');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(whyNoS3() !== undefined)('a bucket', () => {
  let server: S3Server;
  let settings: S3Settings;
  let blobs: S3Blobs;
  let objects: Objects;
  beforeAll(async () => {
    server = await S3Server.start();
    settings = await server.bucket();
    blobs = new S3Blobs(settings);
    objects = new Objects(new Client(settings));
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  describeBlobs('S3', async () => ({
    blobs: new S3Blobs(await server.bucket()),
    dispose: async () => undefined,
  }));

  async function append(key: string, offset: number, bytes: Uint8Array): Promise<void> {
    const part = await blobs.append(key, offset);
    for (let at = 0; at < bytes.length; at += 65_536) await part.write(bytes.subarray(at, at + 65_536));
    await part.sync();
    await part.close();
  }

  async function appendAll(key: string, bytes: Uint8Array, lengths: readonly number[]): Promise<void> {
    let at = 0;
    for (const length of lengths) {
      await append(key, at, bytes.subarray(at, at + length));
      at += length;
    }
    expect(at).toBe(bytes.length);
  }

  async function read(key: string, from: number, to: number, of: Blobs = blobs): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of await of.read(key, { from, to })) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  async function names(prefix = ''): Promise<string[]> {
    const found: string[] = [];
    for await (const { name } of objects.list(prefix)) found.push(name);
    return found;
  }

  it.each([
    ['large ones alone', [8 * MIB, 8 * MIB, 1]],
    ['small ones alone', [MIB, MIB, MIB, MIB, MIB, MIB, MIB]],
    ['small ones between large ones', [6 * MIB, MIB, 1, MIB, 5 * MIB, 3 * MIB, 2 * MIB + 1, 5 * MIB, 10]],
    ['one that is large', [7 * MIB]],
    ['one that is short', [10]],
  ])('parts become one object although S3 takes no short ones: %s', async (_, lengths) => {
    const bytes = randomBytes(lengths.reduce((sum, length) => sum + length, 0));
    const key = newKey();
    await appendAll(key, bytes, lengths);
    await blobs.finish(key, bytes.length);
    expect(sha256(await read(key, 0, bytes.length))).toBe(sha256(bytes));
    const border = lengths[0] ?? 0;
    const around = [Math.max(0, border - 5), Math.min(bytes.length, border + 5)] as const;
    expect((await read(key, ...around)).equals(bytes.subarray(...around))).toBe(true);
    expect((await names()).filter((name) => name.includes(key))).toEqual([`sent/${key}`]);
  });

  it('an upload that is finished again, as its process died before it said so, is finished', async () => {
    const bytes = randomBytes(6 * MIB);
    const key = newKey();
    await appendAll(key, bytes, [5 * MIB, MIB]);
    await blobs.finish(key, bytes.length);
    await append(key, 5 * MIB, bytes.subarray(5 * MIB));
    await blobs.finish(key, bytes.length);
    expect(sha256(await read(key, 0, bytes.length))).toBe(sha256(bytes));
  });

  it('whoever finishes late leaves what was checked as it is', async () => {
    const [bytes, checked] = [randomBytes(1000), randomBytes(900)];
    const key = newKey();
    await append(key, 0, bytes);
    await blobs.finish(key, bytes.length);
    const workspace = await blobs.workspace(key);
    await writeFile(workspace.newPath, checked);
    await blobs.replace(key, workspace.newPath);
    await workspace.release();
    expect((await names()).filter((name) => name.includes(key))).toEqual([`files/${key}`]);
    await append(key, 0, bytes);
    await blobs.finish(key, bytes.length);
    expect(await blobs.size(key)).toBe(900);
    expect((await read(key, 0, 900)).equals(checked)).toBe(true);
    await blobs.delete(key);
    expect((await names()).filter((name) => name.includes(key))).toEqual([]);
  });

  it('a checked file of more than 64 MiB is sent in parts', async () => {
    const bytes = randomBytes(65 * MIB);
    const key = newKey();
    await append(key, 0, bytes.subarray(0, 10));
    await blobs.finish(key, 10);
    const workspace = await blobs.workspace(key);
    await writeFile(workspace.newPath, bytes);
    await blobs.replace(key, workspace.newPath);
    await workspace.release();
    expect(sha256(await read(key, 0, bytes.length))).toBe(sha256(bytes));
    await blobs.delete(key);
  });

  it('nothing stays on this machine but an empty folder', async () => {
    const key = newKey();
    const cut = await blobs.append(key, 0);
    await cut.write(randomBytes(MIB));
    await cut.close();
    expect(await readdir(settings.scratch)).toEqual([]);
    expect((await names()).filter((name) => name.includes(key))).toEqual([]);
  });

  it('an upload in parts that a dead process began is listed by a name that deletes it', async () => {
    const key = newKey();
    await objects.beginUpload(`sent/${key}`);
    const found: string[] = [];
    for await (const { key: name } of blobs.list()) if (name.startsWith(key)) found.push(name);
    expect(found).toEqual([`${key}.uploads`]);
    await blobs.delete(`${key}.uploads`);
    for await (const { name } of objects.openUploads('')) expect(name).not.toContain(key);
  });

  it('S3 answers with 1000 names at most, and the list has all of them', async () => {
    const many = new Set(Array.from({ length: 1005 }, newKey));
    const left = many.values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const key of left) await objects.put(`files/${key}`, { length: 0, open: () => [] });
      }),
    );
    const listed = new Set<string>();
    for await (const { key } of blobs.list()) listed.add(key);
    expect([...many].filter((key) => !listed.has(key))).toEqual([]);
    const all = many.values();
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const key of all) await objects.delete(`files/${key}`);
      }),
    );
  });

  it.each([
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'Check S3_SECRET_ACCESS_KEY and S3_REGION.'],
    ['a key that is not known', { accessKeyId: 'nobody' }, 'Check S3_'],
    ['a bucket that is not there', { url: 'no-such-bucket' }, 'Make the bucket, or check S3_URL.'],
  ])(
    '%s: a sentence says what to do, and does not have the secret',
    async (_, wrong: Partial<S3Settings>, sentence) => {
      const url = wrong.url === undefined ? settings.url : new URL(`/${wrong.url}`, settings.url).href;
      const other = new S3Blobs({ ...settings, ...wrong, url });
      const part = await other.append(newKey(), 0);
      await part.write(Buffer.from('text'));
      const error = await part.sync().then(
        () => undefined,
        (refused: unknown) => refused,
      );
      expect(String(error)).toContain(sentence);
      expect(String(error)).not.toContain(settings.secretAccessKey);
      await part.close();
    },
  );

  it('while S3 is away uploads are refused for the moment, and the part can be synced later', async () => {
    const key = newKey();
    const part = await blobs.append(key, 0);
    await part.write(randomBytes(MIB));
    await server.stop();
    const error = await part.sync().then(
      () => undefined,
      (refused: unknown) => refused,
    );
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('service_unavailable');
    expect(String((error as AppError).cause)).toContain(`S3 at 127.0.0.1:${server.port} is not reached`);
    await server.restart();
    await part.sync();
    await part.close();
    await blobs.finish(key, MIB);
    expect(await blobs.size(key)).toBe(MIB);
  });
});
