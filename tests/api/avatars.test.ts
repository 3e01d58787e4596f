/** Pictures of people. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filePath } from '../../protocol/file-names.ts';
import { PICTURE_MAX } from '../../protocol/limits.ts';
import { JPEG, PNG } from '../../protocol/media/testing/samples.ts';
import { meResponse, usersResponse } from '../../protocol/rest/people.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { bearer, fetchBytes } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp } from '../support/users.ts';

const PATH = '/api/v1/me/avatar';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

async function put(login: Login, bytes: Uint8Array): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${server.url}${PATH}`, {
    method: 'PUT',
    headers: bearer(login),
    body: Uint8Array.from(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const setTo = async (login: Login, bytes: Uint8Array) =>
  meResponse.parse(await put(login, bytes).then(({ json }) => json)).avatar ?? '';
const open = (login: Login, key: string) =>
  fetchBytes(server, filePath(key, 'picture'), { headers: bearer(login) });
const pictureOf = async (viewer: Login, { userId }: Login) => {
  const found = await send(server, `/api/v1/users?ids=${userId}`, { token: viewer.accessToken });
  return expectReply(found, 200, usersResponse).users[0]?.avatar;
};

/** A PNG of this size without pixels: nothing is decoded here. */
function pngOf(width: number, height: number): Uint8Array {
  const bytes = Uint8Array.from(PNG);
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

describe('PUT /api/v1/me/avatar', () => {
  test('everybody sees the picture by the key in the profile, and may keep it: another one has another key', async () => {
    const [ann, bo] = [await signUp(server), await signUp(server)];
    expect(await pictureOf(bo, ann)).toBeUndefined();
    const key = await setTo(ann, JPEG);
    expect(await pictureOf(bo, ann)).toBe(key);
    const { status, headers } = await open(bo, key);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect((await fetchBytes(server, filePath(key, 'picture'))).status).toBe(401);
  });

  test('the picture before is gone, and so is one that was removed', async () => {
    const ann = await signUp(server);
    const first = await setTo(ann, JPEG);
    const second = await setTo(ann, PNG);
    expect([(await open(ann, first)).status, (await open(ann, second)).status]).toEqual([404, 200]);
    const removed = await send(server, PATH, { method: 'DELETE', token: ann.accessToken });
    expect(expectReply(removed, 200, meResponse).avatar).toBeUndefined();
    expect((await open(ann, second)).status).toBe(404);
    expect(await pictureOf(ann, ann)).toBeUndefined();
  });

  test('400 invalid picture: no picture, a script, an empty body, one larger than 512 × 512; the one before stays', async () => {
    const ann = await signUp(server);
    const key = await setTo(ann, JPEG);
    const texts = [
      'hello',
      '',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a<script>alert(1)</script>',
    ];
    const bad = [...texts.map((text) => new TextEncoder().encode(text)), pngOf(513, 16), pngOf(16, 60_000)];
    for (const bytes of bad)
      expect(await put(ann, bytes)).toEqual({ status: 400, json: { error: 'invalid picture' } });
    expect(await pictureOf(ann, ann)).toBe(key);
    expect((await put(ann, pngOf(512, 512))).status).toBe(200);
  });

  test('413 above 256 KiB, and nothing of it stays', async () => {
    const ann = await signUp(server);
    const reply = await put(ann, new Uint8Array(PICTURE_MAX + 1));
    expect(reply).toEqual({ status: 413, json: { error: 'payload too large' } });
    expect((await put(ann, JPEG)).status).toBe(200);
  });

  test('20 at once: one of them is the picture in the end', async () => {
    const ann = await signUp(server);
    const replies = await Promise.all(Array.from({ length: 20 }, () => put(ann, JPEG)));
    const keys = replies.flatMap(({ status, json }) =>
      status === 200 ? [meResponse.parse(json).avatar ?? ''] : [],
    );
    const last = await pictureOf(ann, ann);
    expect(keys).toContain(last);
    for (const key of keys) expect((await open(ann, key)).status).toBe(key === last ? 200 : 404);
  });
});
