/** The picture of the server. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filePath } from '../../protocol/file-names.ts';
import { PICTURE_MAX } from '../../protocol/limits.ts';
import { JPEG, PNG } from '../../protocol/media/testing/samples.ts';
import { auditResponse, serverSettings } from '../../protocol/rest/administration.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { bearer, fetchBytes } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp, signUpAdmin } from '../support/users.ts';

const PATH = '/api/v1/admin/icon';

let client: string;
let server: ServerProcess;
let admin: Login;
beforeAll(async () => {
  client = await mkdtemp(join(tmpdir(), 'roomful-client-'));
  await writeFile(join(client, 'index.html'), '<!doctype html>');
  await writeFile(join(client, 'manifest.webmanifest'), '{"icons":[]}');
  server = await ServerProcess.start({ env: { CLIENT_DIR: client } });
  admin = await signUpAdmin(server);
});
afterAll(async () => {
  await server?.dispose();
  await rm(client, { recursive: true, force: true });
});

async function put(login: Login | null, bytes: Uint8Array): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${server.url}${PATH}`, {
    method: 'PUT',
    headers: login === null ? {} : bearer(login),
    body: Uint8Array.from(bytes),
  });
  return { status: response.status, json: await response.json() };
}

const setTo = async (bytes: Uint8Array) => serverSettings.parse((await put(admin, bytes)).json).icon ?? '';
const remove = (login: Login) => send(server, PATH, { method: 'DELETE', token: login.accessToken });
const shown = async () => expectReply(await send(server, '/api/v1/server'), 200, serverSettings).icon;
/** Without signing in. */
const open = (key: string) => fetchBytes(server, filePath(key, 'icon'));

test('anybody sees the picture, signed in or not, and may keep it; nothing of it runs', async () => {
  expect(await shown()).toBeUndefined();
  const key = await setTo(PNG);
  expect(await shown()).toBe(key);
  const stale = [{ authorization: 'Bearer stale' }, { cookie: 'roomful_files=stale' }];
  for (const headers of [{}, bearer(await signUp(server)), ...stale]) {
    const reply = await fetchBytes(server, filePath(key, 'icon'), { headers });
    expect(reply.status).toBe(200);
    expect(reply.headers['set-cookie']).toBeUndefined();
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
  }
});

test('the picture before is gone, and so is one that was removed; the audit log says who did it', async () => {
  const first = await setTo(JPEG);
  const second = await setTo(PNG);
  expect((await open(first)).status).toBe(401);
  expect((await open(second)).status).toBe(200);
  expect(expectReply(await remove(admin), 200, serverSettings).icon).toBeUndefined();
  expect((await open(second)).status).toBe(401);
  const log = await send(server, '/api/v1/admin/audit', { token: admin.accessToken });
  expect(expectReply(log, 200, auditResponse).entries.slice(0, 2)).toMatchObject([
    { action: 'server_icon', actor: { user_id: admin.userId }, details: { from: second, to: null } },
    { action: 'server_icon', actor: { user_id: admin.userId }, details: { from: first, to: second } },
  ]);
});

test('for a stranger it is 401, for a member 404, and the picture stays', async () => {
  const key = await setTo(PNG);
  const member = await signUp(server);
  expect((await put(null, JPEG)).status).toBe(401);
  expect(await put(member, JPEG)).toEqual({ status: 404, json: { error: 'not found' } });
  expect((await remove(member)).status).toBe(404);
  expect(await shown()).toBe(key);
});

test('a picture of a person is no picture of the server: it is not served without signing in', async () => {
  await setTo(PNG);
  const response = await fetch(`${server.url}/api/v1/me/avatar`, {
    method: 'PUT',
    headers: bearer(admin),
    body: Uint8Array.from(JPEG),
  });
  const { avatar } = (await response.json()) as { avatar: string };
  expect((await open(avatar)).status).toBe(401);
});

test('400 invalid picture and 413 above 256 KiB: the picture before stays', async () => {
  const key = await setTo(PNG);
  const script = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
  expect(await put(admin, script)).toEqual({ status: 400, json: { error: 'invalid picture' } });
  expect((await put(admin, new Uint8Array(PICTURE_MAX + 1))).status).toBe(413);
  expect(await shown()).toBe(key);
  expect((await open(key)).status).toBe(200);
});

test('the web manifest has it', async () => {
  const key = await setTo(PNG);
  const { json } = await send(server, '/manifest.webmanifest');
  expect(json).toMatchObject({ icons: [{ src: `/files/${key}/icon`, purpose: 'any' }] });
});
