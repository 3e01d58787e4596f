/** The bytes of files: who gets them, and in what form. S49: nothing uploaded runs in a browser. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JPEG } from '../../protocol/media/testing/samples.ts';
import { eventually } from '../support/eventually.ts';
import { post, send } from '../support/http.ts';
import { askFor, beginReading, expectCut, filesSent } from '../support/open-streams.ts';
import { bearer, fetchBytes, type SentFile, sendFiles, sendOneFile } from '../support/sent-files.ts';
import { ServerProcess } from '../support/server-process.ts';
import { newUpload, patchUpload } from '../support/uploads.ts';
import {
  addMember,
  createRoom,
  type Login,
  logIn,
  PASSWORD,
  removeMember,
  signUp,
} from '../support/users.ts';

const MIB = 1024 * 1024;
const TEXT = new TextEncoder().encode('0123456789');

let server: ServerProcess;
let ann: Login;
let bo: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  [ann, bo] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => await server?.dispose());

/** A private room of Ann and Bo. */
async function newRoom(): Promise<number> {
  const { id } = await createRoom(server, ann, undefined, 'private');
  await addMember(server, ann, id, bo.userId);
  return id;
}

const fetchAs = (login: Login, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetchBytes(server, path, { method, headers: { ...bearer(login), ...headers } });
const statusFor = async (login: Login, { path }: SentFile) => (await fetchAs(login, path)).status;
const change = (login: Login, method: string, path: string, json?: unknown) =>
  send(server, `/api/v1${path}`, {
    method,
    token: login.accessToken,
    ...(json === undefined ? {} : { json }),
  });

describe('GET /files/:key/:name', () => {
  test('a text is downloaded under its name, whatever its sender says it is', async () => {
    const file = { name: `it's "ä" (1).html`, bytes: TEXT, type: 'text/html' };
    const { path } = await sendOneFile(server, ann, await newRoom(), file);
    const { status, headers, bytes } = await fetchAs(bo, path);
    expect([status, bytes.toString()]).toEqual([200, '0123456789']);
    expect(headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '10',
      'content-disposition': `attachment; filename="it's ___ (1).html"; filename*=UTF-8''it%27s%20%22%C3%A4%22%20%281%29.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'private, max-age=600',
      'accept-ranges': 'bytes',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  test('a picture is shown where it is, by its bytes, under any name and type', async () => {
    const file = { name: 'x.html', bytes: JPEG, type: 'text/html' };
    const { path } = await sendOneFile(server, ann, await newRoom(), file);
    const { headers } = await fetchAs(bo, path);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': `inline; filename="x.html"; filename*=UTF-8''x.html`,
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });

  test('HEAD has the same headers and no body; an empty file has none either', async () => {
    const roomId = await newRoom();
    const [text, empty] = await sendFiles(server, ann, roomId, [
      { name: 'a', bytes: TEXT },
      { name: 'b', bytes: new Uint8Array() },
    ]);
    const [whole, head] = [
      await fetchAs(bo, text?.path ?? ''),
      await fetchAs(bo, text?.path ?? '', {}, 'HEAD'),
    ];
    const timeless = ({ date: _, 'x-request-id': __, ...headers }: typeof head.headers) => headers;
    expect(timeless(head.headers)).toEqual(timeless(whole.headers));
    expect(head).toMatchObject({ status: 200, isWhole: true });
    expect(head.bytes).toHaveLength(0);
    const nothing = await fetchAs(bo, empty?.path ?? '');
    expect(nothing).toMatchObject({ status: 200, isWhole: true, headers: { 'content-length': '0' } });
  });

  test('ranges: a part is 206, one beyond the end 416, and one of an older version is the whole file', async () => {
    const { path } = await sendOneFile(server, ann, await newRoom(), { name: 'a', bytes: TEXT });
    const part = await fetchAs(bo, path, { range: 'bytes=2-4' });
    expect([part.status, part.bytes.toString(), part.headers['content-range']]).toEqual([
      206,
      '234',
      'bytes 2-4/10',
    ]);
    const { etag = '' } = part.headers;
    expect((await fetchAs(bo, path, { range: 'bytes=-2', 'if-range': etag })).bytes.toString()).toBe('89');
    expect((await fetchAs(bo, path, { range: 'bytes=-2', 'if-range': '"other"' })).status).toBe(200);
    const beyond = await fetchAs(bo, path, { range: 'bytes=10-' });
    expect([beyond.status, beyond.headers['content-range'], beyond.bytes.length]).toEqual([
      416,
      'bytes */10',
      0,
    ]);
    const known = await fetchAs(bo, path, { 'if-none-match': etag });
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, etag]);
  });

  test('a large file comes as it was sent, also in many ranges at once', async () => {
    const bytes = Uint8Array.from({ length: 3 * MIB + 1 }, (_, index) => (index * 7919) >> 3);
    const { path } = await sendOneFile(server, ann, await newRoom(), { name: 'a.bin', bytes });
    expect(Buffer.compare((await fetchAs(bo, path)).bytes, bytes)).toBe(0);
    const parts = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        fetchAs(bo, path, { range: `bytes=${index * 150_000}-${index * 150_000 + 149_999}` }),
      ),
    );
    expect(Buffer.compare(Buffer.concat(parts.map((part) => part.bytes)), bytes.subarray(0, 3_000_000))).toBe(
      0,
    );
  });
});

describe('404 file not found, in the same words', () => {
  const WORDS = { error: 'file not found' };

  test('for a key that there is not, an upload, a file that is checked, and one of a room of others', async () => {
    const roomId = await newRoom();
    const stranger = await signUp(server);
    const sent = await sendOneFile(server, ann, roomId, { name: 'a', bytes: TEXT });
    const unsent = await newUpload(server, ann, roomId, { size: TEXT.length });
    await patchUpload(server, ann, unsent, 0, TEXT);
    for (const [login, path] of [
      [stranger, sent.path],
      [ann, `/files/${'A'.repeat(22)}/a`],
      [ann, '/files/short/a'],
      [ann, '/files/..%2f..%2fchat.db/a'],
      [ann, `/files/${unsent}/a`],
    ] as const) {
      const reply = await fetchAs(login, path);
      expect([path, reply.status, JSON.parse(reply.bytes.toString())]).toEqual([path, 404, WORDS]);
      expect(reply.headers['cache-control']).toBe('no-store');
    }
    expect(await statusFor(bo, sent)).toBe(200);
  });

  test('from the deletion of its message on, for everybody; its bytes are gone soon', async () => {
    const sent = await sendOneFile(server, ann, await newRoom(), { name: 'a', bytes: TEXT });
    await change(ann, 'DELETE', `/rooms/${sent.roomId}/messages/${sent.messageId}`);
    expect([await statusFor(ann, sent), await statusFor(bo, sent)]).toEqual([404, 404]);
  });

  test('from the removal of a member on, and from a ban, and from the suspension of an account', async () => {
    const sent = await sendOneFile(server, ann, await newRoom(), { name: 'a', bytes: TEXT });
    await removeMember(server, ann, sent.roomId, bo.userId);
    expect(await statusFor(bo, sent)).toBe(404);
    await addMember(server, ann, sent.roomId, bo.userId);
    expect(await statusFor(bo, sent)).toBe(200);
    await change(ann, 'PUT', `/rooms/${sent.roomId}/bans/${bo.userId}`, { reason: '' });
    expect(await statusFor(bo, sent)).toBe(404);
  });

  test('the API has no other paths below /files', async () => {
    for (const path of ['/files', '/files/', `/files/${'A'.repeat(22)}`, `/files/${'A'.repeat(22)}/a/b`])
      expect([path, (await fetchAs(ann, path)).status]).toEqual([path, 404]);
    expect((await fetchAs(ann, `/files/${'A'.repeat(22)}/a`, {}, 'DELETE')).status).toBe(405);
  });
});

describe('the cookie of files', () => {
  const cookieIn = (headers: IncomingMessage['headers']) => headers['set-cookie']?.[0] ?? '';
  const valueIn = (cookie: string) => cookie.split(';')[0] ?? '';
  const login = async (person: Login, headers = {}) =>
    await post(server, '/api/v1/auth/login', { username: person.username, password: PASSWORD }, { headers });

  test('a login and a refresh set it: for /files alone, unseen by scripts, never sent by other sites', async () => {
    const reply = await login(bo);
    expect(cookieIn(reply.headers)).toMatch(
      /^roomful_files=[\w.-]+; Path=\/files; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    );
    const { refresh_token } = reply.json as { refresh_token: string };
    const refreshed = await post(server, '/api/v1/auth/refresh', { refresh_token });
    expect(cookieIn(refreshed.headers)).toMatch(/^roomful_files=/);
    const overTls = { origin: 'https://chat.example', 'sec-fetch-site': 'same-origin' };
    expect(cookieIn((await login(bo, overTls)).headers)).toMatch(/; Secure$/);
  });

  test('it opens files and nothing else, and no access token is one', async () => {
    const sent = await sendOneFile(server, ann, await newRoom(), { name: 'a', bytes: TEXT });
    const cookie = valueIn(cookieIn((await login(bo)).headers));
    expect((await fetchBytes(server, sent.path, { headers: { cookie: `a=b; ${cookie}` } })).status).toBe(200);
    const token = cookie.slice(cookie.indexOf('=') + 1);
    expect((await send(server, '/api/v1/me', { token })).status).toBe(401);
    expect(
      (await fetchBytes(server, sent.path, { headers: { authorization: `Bearer ${token}` } })).status,
    ).toBe(401);
    const forged = `roomful_files=${bo.accessToken}`;
    const refused = await fetchBytes(server, sent.path, { headers: { cookie: forged } });
    // Such an answer may come late, after a refresh has set the next cookie, and must leave that alone.
    expect([refused.status, cookieIn(refused.headers)]).toEqual([401, '']);
    expect((await fetchBytes(server, sent.path)).status).toBe(401);
    expect((await send(server, '/api/v1/me', { headers: { cookie } })).status).toBe(401);
  });

  test('a logout clears it, and ends it wherever it was copied to', async () => {
    const sent = await sendOneFile(server, ann, await newRoom(), { name: 'a', bytes: TEXT });
    const reply = await login(bo);
    const cookie = valueIn(cookieIn(reply.headers));
    const { refresh_token } = reply.json as { refresh_token: string };
    const out = await post(server, '/api/v1/auth/logout', { refresh_token });
    expect(cookieIn(out.headers)).toMatch(/^roomful_files=; Path=\/files; Max-Age=0; /);
    expect((await fetchBytes(server, sent.path, { headers: { cookie } })).status).toBe(401);
  });

  test('whoever ends their own session from the list of sessions loses it, too', async () => {
    const carl = await signUp(server);
    const other = await logIn(server, carl.username);
    const { json } = await change(carl, 'GET', '/me/sessions');
    const { sessions } = json as { sessions: { id: number; current: boolean }[] };
    for (const { id, current } of sessions.toSorted((one) => (one.current ? 1 : -1))) {
      const reply = await change(carl, 'DELETE', `/me/sessions/${id}`);
      expect(cookieIn(reply.headers) !== '').toBe(current);
    }
    expect((await change(other, 'GET', '/me')).status).toBe(401);
  });
});

describe('a file that is being sent', () => {
  async function large(): Promise<SentFile> {
    const roomId = await newRoom();
    // More than fits into the buffers of the connection.
    const bytes = new Uint8Array(32 * MIB);
    return await sendOneFile(server, ann, roomId, { name: 'large', bytes });
  }

  const deleted = async ({ roomId, messageId }: SentFile) => {
    await change(ann, 'DELETE', `/rooms/${roomId}/messages/${messageId}`);
  };
  const removed = ({ roomId }: SentFile) => removeMember(server, ann, roomId, bo.userId);

  test.each([
    ['its message is deleted', deleted, 0],
    ['the reader is removed', removed, 1],
  ])('ends when %s', async (_, act, stay) => {
    const sent = await large();
    const [response, other] = [
      await beginReading(server, bo, sent.path),
      await beginReading(server, ann, sent.path),
    ];
    expect(await filesSent(server)).toBe(2);
    await act(sent);
    await eventually('the end of the stream', async () => (await filesSent(server)) === stay || undefined);
    await expectCut(response);
    other.destroy();
    await eventually('the end of the other', async () => (await filesSent(server)) === 0 || undefined);
  });

  test('ends when the session of the reader does', async () => {
    const sent = await large();
    const reply = await post(server, '/api/v1/auth/login', { username: bo.username, password: PASSWORD });
    const tokens = reply.json as { access_token: string; refresh_token: string };
    const response = await beginReading(server, { ...bo, accessToken: tokens.access_token }, sent.path);
    expect(await filesSent(server)).toBe(1);
    await post(server, '/api/v1/auth/logout', { refresh_token: tokens.refresh_token });
    await eventually('the end of the stream', async () => (await filesSent(server)) === 0 || undefined);
    await expectCut(response);
  });

  test('sixteen at once go to one address; the next one waits for a place, and another address has its own', async () => {
    const { path } = await large();
    const sixteen = await Promise.all(Array.from({ length: 16 }, () => beginReading(server, bo, path)));
    const next = once(askFor(server, bo, path), 'response') as Promise<[IncomingMessage]>;
    const elsewhere = await beginReading(server, bo, path, '127.0.0.2');
    expect(elsewhere.statusCode).toBe(200);
    expect(await filesSent(server)).toBe(17);
    sixteen[0]?.destroy();
    const [response] = await next;
    expect(response.statusCode).toBe(200);
    for (const one of [...sixteen, response, elsewhere]) one.destroy();
    await eventually('the end of all', async () => (await filesSent(server)) === 0 || undefined);
  });

  test('who waits for a place gets nothing once the session has ended', async () => {
    const { path } = await large();
    const sixteen = await Promise.all(Array.from({ length: 16 }, () => beginReading(server, ann, path)));
    const own = await logIn(server, bo.username);
    const next = once(askFor(server, own, path), 'response') as Promise<[IncomingMessage]>;
    await post(server, '/api/v1/auth/logout', { refresh_token: own.refreshToken });
    sixteen[0]?.destroy();
    const [response] = await next;
    expect(response.statusCode).toBe(401);
    for (const one of [...sixteen, response]) one.destroy();
    await eventually('the end of all', async () => (await filesSent(server)) === 0 || undefined);
  });
});
