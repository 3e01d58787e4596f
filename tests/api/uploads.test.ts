/** Uploads: their rules, bad input, and what is refused. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadedFile } from '../../protocol/rest/files.ts';
import { eventually } from '../support/eventually.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import {
  beginUpload,
  checkedUpload,
  newUpload,
  offsetOf,
  patchUpload,
  readUpload,
} from '../support/uploads.ts';
import { createRoom, type Login, logIn, signUp } from '../support/users.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let server: ServerProcess;
let ann: Login;
let roomId: number;
const folder = () => join(server.dataDir, 'data', 'files');

beforeAll(async () => {
  server = await ServerProcess.start({ env: { FILES_PER_USER_MIB: '150' } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
});
afterAll(async () => await server?.dispose());

/** Somebody new, whose limits nobody else uses. */
async function newPerson(): Promise<Login> {
  return await signUp(server);
}

const begin = (size: number | string, fields: Record<string, string> = {}, login = ann) =>
  beginUpload(server, login, size, { room_id: String(roomId), ...fields });

async function filesOnDisk(): Promise<string[]> {
  if (!existsSync(folder())) return [];
  const names = await readdir(folder(), { recursive: true });
  return names.filter((name) => name.split('/').length === 3);
}

describe('before the first upload', () => {
  it('there is no folder, and OPTIONS says what there is', async () => {
    expect(existsSync(folder())).toBe(false);
    const { status, headers, text } = await send(server, '/api/v1/uploads', { method: 'OPTIONS' });
    expect([status, text]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(100 * MIB),
    });
  });
});

describe('an upload', () => {
  it('comes in parts, and is what was sent: its size, its hash, and what was said of it', async () => {
    const bytes = randomBytes(300_000);
    const key = await newUpload(server, ann, roomId, {
      size: bytes.length,
      name: 'a.bin',
      type: 'x/y',
      alt: 'A',
    });
    const first = await patchUpload(server, ann, key, 0, bytes.subarray(0, 100_000));
    expect([first.status, first.headers['upload-offset'], first.text]).toEqual([204, '100000', '']);
    const expires = Date.parse(String(first.headers['upload-expires']));
    expect(expires).toBeGreaterThan(Date.now() + 80_000_000);
    expect(await offsetOf(server, ann, key)).toBe(100_000);
    expect(await readUpload(server, ann, key)).toMatchObject({ state: 'uploading', offset: 100_000 });
    const second = await patchUpload(server, ann, key, 100_000, [bytes.subarray(100_000)]);
    expect(second.headers['upload-offset']).toBe('300000');
    expect(await checkedUpload(server, ann, key)).toMatchObject({
      ...{ key, name: 'a.bin', type: 'x/y', alt: 'A', size: 300_000, offset: 300_000, state: 'ready' },
      ...{ sha256: sha256(bytes), room_id: roomId, purpose: 'message' },
    });
    expect(await offsetOf(server, ann, key)).toBe(300_000);
  });

  it('of 0 bytes is complete when it begins', async () => {
    const file = expectReply(await begin(0, { name: 'empty' }), 201, uploadedFile);
    expect(await checkedUpload(server, ann, file.key)).toMatchObject({
      state: 'ready',
      sha256: sha256(Buffer.of()),
    });
  });

  it('is refused at an offset where it is not: 409, and nothing has changed', async () => {
    const key = await newUpload(server, ann, roomId, { size: 10 });
    await patchUpload(server, ann, key, 0, Buffer.from('abcd'));
    for (const offset of [0, 3, 5, 10, 11, 9_999_999_999])
      expectRefusal(
        await patchUpload(server, ann, key, offset, Buffer.from('x')),
        409,
        'upload is at another offset',
      );
    expect(await offsetOf(server, ann, key)).toBe(4);
    for (const offset of ['', '-1', '1.5', '0x4', 'four', '4, 4'])
      expectRefusal(await patchUpload(server, ann, key, offset, Buffer.from('x')), 400, 'invalid payload');
  });

  it('beyond its length is 413; a chunk without a length counts up to what fits', async () => {
    const key = await newUpload(server, ann, roomId, { size: 10 });
    expectRefusal(await patchUpload(server, ann, key, 0, Buffer.alloc(11)), 413, 'payload too large');
    expect(await offsetOf(server, ann, key)).toBe(0);
    const reply = await patchUpload(server, ann, key, 0, [Buffer.alloc(70_000)]).catch(() => undefined);
    if (reply) expectRefusal(reply, 413, 'payload too large');
    expect(await offsetOf(server, ann, key)).toBe(0);
    await send(server, `/api/v1/uploads/${key}`, { method: 'DELETE', token: ann.accessToken });
  });

  it('takes 8 MiB in one request, and not a byte more', async () => {
    const key = await newUpload(server, ann, roomId, { size: 9 * MIB });
    const tooMuch = await patchUpload(server, ann, key, 0, Buffer.alloc(8 * MIB + 1)).catch(() => undefined);
    if (tooMuch) expectRefusal(tooMuch, 413, 'payload too large');
    expect((await patchUpload(server, ann, key, 0, Buffer.alloc(8 * MIB))).status).toBe(204);
    expect((await patchUpload(server, ann, key, 8 * MIB, Buffer.alloc(MIB))).status).toBe(204);
    expect((await checkedUpload(server, ann, key)).sha256).toBe(sha256(Buffer.alloc(9 * MIB)));
  });

  it('without a byte, it stays where it is', async () => {
    const key = await newUpload(server, ann, roomId, { size: 10 });
    const { status, headers } = await patchUpload(server, ann, key, 0, Buffer.of());
    expect([status, headers['upload-offset']]).toEqual([204, '0']);
    await send(server, `/api/v1/uploads/${key}`, { method: 'DELETE', token: ann.accessToken });
  });

  it('is seen by its owner alone: for everybody else it is 404, as one that is not there', async () => {
    const bo = await newPerson();
    const key = await newUpload(server, ann, roomId, { size: 10 });
    for (const path of [key, 'A'.repeat(22), 'short', '..%2f..%2fetc%2fpasswd', `${key}x`]) {
      for (const method of ['GET', 'DELETE'])
        expectRefusal(
          await send(server, `/api/v1/uploads/${path}`, { method, token: bo.accessToken }),
          404,
          'file not found',
        );
      expectRefusal(await patchUpload(server, bo, path, 0, Buffer.from('x')), 404, 'file not found');
    }
    expect(await offsetOf(server, ann, key)).toBe(0);
    await send(server, `/api/v1/uploads/${key}`, { method: 'DELETE', token: ann.accessToken });
  });

  it('that is deleted while it uploads is gone, and so are its bytes', async () => {
    const login = await newPerson();
    const key = await newUpload(server, login, roomId, { size: MIB });
    await patchUpload(server, login, key, 0, Buffer.alloc(1000));
    const path = `/api/v1/uploads/${key}`;
    const chunks = Array.from({ length: 4 }, () => Buffer.alloc(100_000));
    const running = patchUpload(server, login, key, 1000, chunks).catch(() => undefined);
    expect((await send(server, path, { method: 'DELETE', token: login.accessToken })).status).toBe(204);
    const reply = await running;
    if (reply) expect([204, 404]).toContain(reply.status);
    expectRefusal(
      await send(server, path, { method: 'DELETE', token: login.accessToken }),
      404,
      'file not found',
    );
    expectRefusal(await patchUpload(server, login, key, 1000, Buffer.alloc(1)), 404, 'file not found');
    await eventually('no bytes', async () =>
      (await filesOnDisk()).some((name) => name.endsWith(key)) ? undefined : true,
    );
  });

  it('a picture loses what it tells of its place, and is measured', async () => {
    const key = await newUpload(server, ann, roomId, { size: PNG.length, name: 'a.txt', type: 'text/html' });
    await patchUpload(server, ann, key, 0, PNG);
    const file = await checkedUpload(server, ann, key);
    expect(file).toMatchObject({ state: 'ready', type: 'image/png', width: 3, height: 2 });
    expect(file.size).toBeLessThan(PNG.length);
    expect(file.offset).toBe(file.size);
  });

  it('a picture that is cut in the middle of its header is refused, and its bytes are gone', async () => {
    // A JPEG that ends within a segment.
    const broken = Buffer.from('ffd8ffe000104a46494600010100000100010000ffe1ffff45786966', 'hex');
    const key = await newUpload(server, ann, roomId, { size: broken.length });
    await patchUpload(server, ann, key, 0, broken);
    expect(await checkedUpload(server, ann, key)).toMatchObject({
      state: 'refused',
      reason: 'unreadable',
      size: 0,
    });
    await eventually('no bytes', async () =>
      (await filesOnDisk()).some((name) => name.endsWith(key)) ? undefined : true,
    );
  });
});

describe('POST /rooms/:id/files', () => {
  const postFile = (query: string, options: object, login = ann) =>
    send(server, `/api/v1/rooms/${roomId}/files${query}`, {
      method: 'POST',
      token: login.accessToken,
      ...options,
    });

  it('uploads a small file whole', async () => {
    const login = await newPerson();
    const body = randomBytes(1000);
    const headers = { 'content-type': 'application/pdf' };
    const reply = await postFile('?name=plan.pdf&alt=The%20plan', { body, headers }, login);
    const { key } = expectReply(reply, 201, uploadedFile);
    expect(await checkedUpload(server, login, key)).toMatchObject({
      ...{ name: 'plan.pdf', type: 'application/pdf', alt: 'The plan', size: 1000, sha256: sha256(body) },
    });
  });

  it('takes JSON as the bytes that it is, and an empty body as an empty file', async () => {
    const login = await newPerson();
    const { key } = expectReply(await postFile('', { json: { a: 1 } }, login), 201, uploadedFile);
    expect((await checkedUpload(server, login, key)).sha256).toBe(sha256(Buffer.from('{"a":1}')));
    expect(expectReply(await postFile('', {}, login), 201, uploadedFile)).toMatchObject({
      size: 0,
      name: 'file',
    });
  });

  it('without a length it is 400, beyond 8 MiB 413; nothing stays', async () => {
    const login = await newPerson();
    expectRefusal(await postFile('', { body: [Buffer.from('x')] }, login), 400, 'invalid payload');
    const large = await postFile('', { body: Buffer.alloc(8 * MIB + 1) }, login).catch(() => undefined);
    if (large) expectRefusal(large, 413, 'payload too large');
  });
});

it('what was answered, and what waits for its check, is there after a kill', async () => {
  const login = await newPerson();
  const bytes = randomBytes(200_000);
  const keys = [];
  for (let count = 0; count < 3; count++)
    keys.push(await newUpload(server, login, roomId, { size: bytes.length }));
  const [whole = '', half = '', other = ''] = keys;
  await patchUpload(server, login, half, 0, bytes.subarray(0, 123_456));
  await Promise.all([whole, other].map((key) => patchUpload(server, login, key, 0, bytes)));
  await server.kill();
  await server.restart();
  const again = await logIn(server, login.username);
  expect(await offsetOf(server, again, half)).toBe(123_456);
  await patchUpload(server, again, half, 123_456, bytes.subarray(123_456));
  for (const key of [whole, half, other])
    expect(await checkedUpload(server, again, key)).toMatchObject({ state: 'ready', sha256: sha256(bytes) });
});

/** 3 x 2 pixels, with a text that names a place. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAJHRFWHRDb21tZW50AFZpZW5uYSwgNDguMjA4MiBOLCAxNi4zNzM4IEW295jHAAAADklEQVR4nGOogAEGOAsAVHQIcfKt7ZkAAAAASUVORK5CYII=',
  'base64',
);
