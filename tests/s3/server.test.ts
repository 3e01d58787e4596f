/** A server whose files are in a bucket: uploads, reads, deletion, backups, and the move to it and back. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../server/data/blobs/s3/client.ts';
import { Objects } from '../../server/data/blobs/s3/objects.ts';
import type { S3Settings } from '../../server/platform/config.ts';
import { runCommand } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { S3Server, whyNoS3 } from '../support/s3-server.ts';
import { bearer, fetchBytes, type SentFile, sendOneFile } from '../support/sent-files.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const reason = whyNoS3() ?? whyNotEmbedded();

describe.skipIf(reason !== undefined)('files of a server in a bucket', () => {
  let s3: S3Server;
  let bucket: S3Settings;
  let env: Record<string, string>;
  let folder: string;
  let server: ServerProcess;
  let ann: Login;
  let roomId: number;
  beforeAll(async () => {
    s3 = await S3Server.start();
  });
  afterAll(async () => await s3?.[Symbol.asyncDispose]());
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'roomful-s3-server-'));
    bucket = await s3.bucket();
    env = {
      S3_URL: bucket.url,
      S3_ACCESS_KEY_ID: bucket.accessKeyId,
      S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    };
  });
  afterEach(async () => {
    await server?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(settings: Record<string, string>): Promise<void> {
    server = await ServerProcess.start({ env: settings });
    ann = await signUp(server);
    roomId = (await createRoom(server, ann)).id;
  }

  const sendFile = (bytes: Uint8Array) =>
    sendOneFile(server, ann, roomId, { name: 'a.bin', bytes, type: 'application/octet-stream' });
  const fetched = ({ path }: SentFile, headers: Record<string, string> = {}) =>
    fetchBytes(server, path, { headers: { ...bearer(ann), ...headers } });
  const run = (args: string[], settings = env) => runCommand(server, args, { env: settings });
  const inFolder = () => {
    const path = join(server.dataDir, 'data', 'files');
    if (!existsSync(path)) return [];
    return readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.length > 20);
  };

  async function inBucket(): Promise<string[]> {
    const found: string[] = [];
    for await (const { name } of new Objects(new Client(bucket)).list('')) found.push(name);
    return found.sort();
  }

  it('are served, whole and in parts; a deleted one is gone, and nothing is in the folder', async () => {
    await start(env);
    const bytes = randomBytes(9 * MIB);
    const file = await sendFile(bytes);
    expect(await inBucket()).toEqual([`files/${file.key}`]);
    const whole = await fetched(file);
    expect([whole.status, whole.isWhole, sha256(whole.bytes)]).toEqual([200, true, sha256(bytes)]);
    const part = await fetched(file, { range: `bytes=${8 * MIB - 10}-${8 * MIB + 9}` });
    expect(part.status).toBe(206);
    expect(sha256(part.bytes)).toBe(sha256(bytes.subarray(8 * MIB - 10, 8 * MIB + 10)));
    expect(inFolder()).toEqual([]);
    expect(readdirSync(join(server.dataDir, 'data', 'files.tmp'))).toEqual([]);
    const path = `/api/v1/rooms/${roomId}/messages/${file.messageId}`;
    expect((await send(server, path, { method: 'DELETE', token: ann.accessToken })).status).toBe(204);
    expect((await fetched(file)).status).toBe(404);
    await eventually('an empty bucket', async () => ((await inBucket()).length === 0 ? true : undefined));
  });

  it('while S3 is away a file is refused for the moment, and texts go on', async () => {
    await start(env);
    const file = await sendFile(randomBytes(1000));
    await s3.stop();
    try {
      expect((await fetched(file)).status).toBe(503);
      const text = { method: 'POST', token: ann.accessToken, json: { name: 'Another' } };
      expect((await send(server, '/api/v1/rooms', text)).status).toBe(201);
      const [line] = await server.logged(({ msg }) => String(msg).includes('the place of files'));
      expect(JSON.stringify(line)).toContain('is not reached');
      expect(server.stderr).not.toContain(bucket.secretAccessKey);
    } finally {
      await s3.restart();
    }
    expect((await fetched(file)).status).toBe(200);
  });

  it('that were in the folder before are served, and moved to the bucket and back while people use them', async () => {
    await start({});
    const texts = [randomBytes(1000), randomBytes(3 * MIB), randomBytes(10)];
    const files: SentFile[] = [];
    for (const bytes of texts) files.push(await sendFile(bytes));
    await server.stop();
    await server.restart(env);
    const all = async () => {
      for (const [index, file] of files.entries()) {
        const { status, bytes } = await fetched(file);
        expect([status, sha256(bytes)]).toEqual([200, sha256(texts[index] ?? bytes)]);
      }
    };
    await all();
    texts.push(randomBytes(20));
    files.push(await sendFile(texts.at(-1) ?? new Uint8Array()));
    expect(await inBucket()).toHaveLength(1);

    const there = await run(['files', 'move', '--to', 's3', '--json']);
    expect([there.code, JSON.parse(there.stdout)]).toMatchObject([0, { files: 3, damaged: [], others: 0 }]);
    expect(await inBucket()).toEqual(files.map(({ key }) => `files/${key}`).sort());
    expect(inFolder()).toEqual([]);
    await all();
    const again = await run(['files', 'move', '--to', 's3', '--json']);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { files: 0 }]);

    const back = await run(['files', 'move', '--to', 'disk', '--json']);
    expect([back.code, JSON.parse(back.stdout)]).toMatchObject([0, { files: 4, damaged: [] }]);
    expect(await inBucket()).toEqual([]);
    await server.stop();
    await server.restart({ S3_URL: '' });
    await all();
  });

  it('a move that is killed goes on, and one beside another is refused', async () => {
    await start({});
    const files: SentFile[] = [];
    for (let count = 0; count < 12; count++) files.push(await sendFile(randomBytes(100_000)));
    const killOn = eventually(
      'the first file in the bucket',
      async () => (await inBucket()).length > 0 || undefined,
    );
    const killed = await runCommand(server, ['files', 'move', '--to', 's3'], { env, killOn });
    const beside = await run(['files', 'move', '--to', 's3']);
    if (killed.code === null) {
      expect([beside.code, beside.stderr]).toEqual([
        1,
        expect.stringContaining('Another move of files runs'),
      ]);
      await eventually(
        'the move that goes on',
        async () => ((await run(['files', 'move', '--to', 's3'])).code === 0 ? true : undefined),
        90_000,
      );
    }
    expect(await inBucket()).toEqual(files.map(({ key }) => `files/${key}`).sort());
    expect(inFolder()).toEqual([]);
  });

  it('a file whose bytes are not those that were checked stays where it is, and is named', async () => {
    await start({});
    const [good, bad] = [await sendFile(randomBytes(100)), await sendFile(randomBytes(100))];
    const { writeFileSync } = await import('node:fs');
    const { key } = bad;
    const path = join(server.dataDir, 'data', 'files', key.slice(0, 2), key.slice(2, 4), key);
    writeFileSync(path, randomBytes(100));
    const { code, stdout } = await run(['files', 'move', '--to', 's3', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { files: 1, damaged: [key] }]);
    expect(await inBucket()).toEqual([`files/${good.key}`]);
    expect(existsSync(path)).toBe(true);
  });

  it('without a bucket in the settings the move says what is missing', async () => {
    await start({});
    const { code, stderr } = await run(['files', 'move', '--to', 's3'], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining('set S3_URL and its keys')]);
  });

  it('are in a backup, which a machine without the bucket restores into its folder', async () => {
    await start(env);
    const bytes = randomBytes(2 * MIB);
    const file = await sendFile(bytes);
    const into = join(folder, 'backups');
    expect((await run(['verify', '--files'])).code).toBe(0);
    for (const linked of [0, 1]) {
      const { code, stdout, stderr } = await run(['backup', '--into', into, '--json']);
      expect([code, stderr]).toMatchObject([0, expect.any(String)]);
      expect(JSON.parse(stdout).files).toMatchObject({ count: 1, bytes: bytes.length, linked });
      // The name of a backup is the second in which it was made.
      await new Promise((resolve) => setTimeout(resolve, 1100));
    }
    const without = await run(['backup', '--to', join(folder, 'without')], {});
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('Set S3_URL and its keys')]);
    const from = join(into, readdirSync(into).sort().at(-1) ?? '');
    await server.stop();
    expect((await run(['restore', '--from', from, '--force'], {})).code).toBe(0);
    await server.restart({ S3_URL: '' });
    ann = await logIn(server, ann.username);
    expect(sha256((await fetched(file)).bytes)).toBe(sha256(bytes));
  });

  it('are in an export, and verify names one that is gone from the bucket', async () => {
    await start(env);
    const bytes = randomBytes(1000);
    const file = await sendFile(bytes);
    const to = join(folder, 'export');
    expect((await run(['export', '--to', to])).code).toBe(0);
    const { key } = file;
    const path = join(to, 'files', key.slice(0, 2), key.slice(2, 4), key);
    expect(sha256(readFileSync(path))).toBe(sha256(bytes));
    await new Objects(new Client(bucket)).delete(`files/${key}`);
    const { code, stdout } = await run(['verify', '--files', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings).toMatchObject([{ rule: 'each file has its bytes', count: 1 }]);
  });

  it('the doctor writes, reads and deletes an object, and says what is wrong', async () => {
    await start(env);
    const checksOf = async (settings: Record<string, string>) => {
      const { stdout } = await run(['doctor', '--json'], settings);
      const { checks } = JSON.parse(stdout) as { checks: { name: string; verdict: string; told: string }[] };
      return checks.filter(({ name }) => name === 'S3');
    };
    expect(await checksOf(env)).toMatchObject([{ verdict: 'ok' }]);
    expect(await inBucket()).toEqual([]);
    expect(await checksOf({ ...env, S3_SECRET_ACCESS_KEY: 'wrong' })).toMatchObject([
      { verdict: 'problem', told: expect.stringContaining('Check S3_') },
    ]);
    expect(await checksOf({ ...env, S3_URL: `${bucket.url}-not` })).toMatchObject([
      { verdict: 'problem', told: expect.stringContaining('Make the bucket') },
    ]);
  });
});
