/** Malformed, oversized and encoded bodies, on every endpoint that takes a body. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { roomSchema } from '../../protocol/rooms.ts';
import { expectRefusal, expectReply } from '../support/expect-reply.ts';
import { type RequestOptions, send, sendRaw } from '../support/http.ts';
import { connectRaw } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, PASSWORD, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

const ENDPOINTS = [
  '/api/v1/auth/register',
  '/api/v1/auth/login',
  '/api/v1/auth/refresh',
  '/api/v1/auth/logout',
  '/api/v1/rooms',
  '/api/v1/ws/tickets',
];

/** Posts with a valid token, so that only the body can be refused. */
const postBody = (path: string, body: RequestOptions['body'], headers: RequestOptions['headers'] = {}) =>
  send(server, path, {
    method: 'POST',
    token: ann.accessToken,
    headers,
    ...(body === undefined ? {} : { body }),
  });

const roomBody = () => JSON.stringify({ name: uniqueName('room') });

describe.each(ENDPOINTS)('POST %s: what does not parse or validate is 400 invalid payload', (path) => {
  test.each<[string, RequestOptions['body']]>([
    ['no body', undefined],
    ['an empty body', ''],
    ['white space', ' \n'],
    ['no JSON', 'username=ann&password=secret'],
    ['half of it', '{"username":"ann'],
    ['JSON and more', '{} {}'],
    ['a comment', '{/* */}'],
    ['NaN', '{"room_id":NaN}'],
    ['a byte order mark', '\ufeff{}'],
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '42'],
    ['a string', '"ann"'],
    ['an array', '[]'],
    ['an empty object', '{}'],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['bad UTF-8 in every field', Buffer.concat(fieldsWith(Buffer.from([0x61, 0xc3, 0x28])))],
    ['an overlong encoding in every field', Buffer.concat(fieldsWith(Buffer.from([0x61, 0xc0, 0xaf, 0x61])))],
    ['an encoded surrogate in every field', Buffer.concat(fieldsWith(Buffer.from([0xed, 0xa0, 0x80])))],
    ['UTF-16', Buffer.from('{"name":"ann"}', 'utf16le')],
    [
      'a NUL in every field',
      '{"username":"a\\u0000b","password":"\\u0000","refresh_token":"\\u0000","name":"\\u0000"}',
    ],
    ['absurdly nested arrays', '['.repeat(30_000) + ']'.repeat(30_000)],
    ['absurdly nested objects', `${'{"name":'.repeat(7000)}1${'}'.repeat(7000)}`],
  ])('%s', async (_, body) => {
    expectRefusal(await postBody(path, body), 400, 'invalid payload');
  });
});

describe('a body is JSON, whatever its Content-Type (a plain curl -d works)', () => {
  test.each([
    undefined,
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=latin1',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain',
    'text/xml',
    'application/octet-stream',
    'nonsense',
    ';;;',
    '',
  ])('%j', async (contentType) => {
    const headers = contentType === undefined ? {} : { 'content-type': contentType };
    expectReply(await postBody('/api/v1/rooms', roomBody(), headers), 201, roomSchema);
    expectRefusal(await postBody('/api/v1/rooms', 'name=ann', headers), 400, 'invalid payload');
  });
});

describe('415 unsupported media type is only for a Content-Encoding: bodies are never decompressed', () => {
  test.each(['gzip', 'deflate', 'br', 'zstd', 'compress', 'nonsense', 'gzip, br', 'GZIP'])(
    '%s',
    async (encoding) => {
      const reply = await postBody('/api/v1/rooms', roomBody(), { 'content-encoding': encoding });
      expectRefusal(reply, 415, 'unsupported media type');
    },
  );

  test('a gzipped body of a valid request', async () => {
    const body = gzipSync(roomBody());
    expectRefusal(
      await postBody('/api/v1/rooms', body, { 'content-encoding': 'gzip' }),
      415,
      'unsupported media type',
    );
  });

  test.each(ENDPOINTS)('%s', async (path) => {
    expectRefusal(await postBody(path, '{}', { 'content-encoding': 'gzip' }), 415, 'unsupported media type');
  });
});

describe('413 payload too large', () => {
  const MEGABYTE = 1024 * 1024;
  const large = (bytes: number) => `{"name":"${'a'.repeat(bytes)}"}`;

  test.each(ENDPOINTS)('%s: 1 MB, sized', async (path) => {
    // The body is announced and never sent: the header alone is refused.
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${ann.accessToken}\r\n` +
      `Content-Length: ${MEGABYTE}\r\n\r\n`;
    const { text } = await sendRaw(server, head, { quietMs: 2000 });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/\{"error":"payload too large"\}/);
  });

  test.each(ENDPOINTS)('%s: 1 MB, chunked', async (path) => {
    const chunk = 'a'.repeat(0x4000);
    const head =
      `POST ${path} HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${ann.accessToken}\r\n` +
      'Transfer-Encoding: chunked\r\n\r\n';
    const body = `4000\r\n${chunk}\r\n`.repeat(MEGABYTE / 0x4000);
    const { text } = await sendRaw(server, `${head}${body}0\r\n\r\n`, { quietMs: 2000 });
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toMatch(/\{"error":"payload too large"\}/);
  });

  test('a body of a few kilobytes is read and validated', async () => {
    expectRefusal(await postBody('/api/v1/rooms', large(8192)), 400, 'invalid payload');
  });

  test('memory stays flat under 200 of them', async () => {
    const chunk = Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`);
    const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${server.host}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const request = Buffer.concat([Buffer.from(head), ...Array.from({ length: 64 }, () => chunk)]);
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, () => sendRaw(server, request, { quietMs: 2000 })));
    }
    expect((await send(server, '/health')).status).toBe(200);
  });
});

describe('a body in chunks of one byte', () => {
  const head = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${ann.accessToken}\r\n` +
    'Transfer-Encoding: chunked\r\n\r\n';
  const chunksOf = (text: string) => `${[...text].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;

  test('is read as any other while it is short', async () => {
    const { text } = await sendRaw(server, head('/api/v1/rooms') + chunksOf(roomBody()), { quietMs: 2000 });
    expect(text).toMatch(/^HTTP\/1\.1 201 /);
  });

  test.each(ENDPOINTS)('%s: ends its connection, without a response, before 4 KiB', async (path) => {
    const socket = await connectRaw(server);
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.write(head(path) + '1\r\nx\r\n'.repeat(4 * 1024));
    await closed;
    expect(text).toBe('');
  });
});

describe('a chunked body that nobody takes', () => {
  test.each([
    ['GET', '/healthz', 200],
    ['POST', '/api/v1/rooms', 401],
    ['POST', '/api/v1/uploads', 401],
    ['POST', '/api/v1/nowhere', 404],
    ['POST', '/healthz', 405],
  ])(
    '%s %s, which is answered with %i before its end, ends the connection with the answer',
    async (method, path, status) => {
      const head = `${method} ${path} HTTP/1.1\r\nHost: ${server.host}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const socket = await connectRaw(server);
      let text = '';
      socket.on('data', (data) => {
        text += data;
      });
      const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()));
      socket.write(`${head}1\r\nx\r\n`);
      await ended;
      expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(text).toMatch(/^connection: close\r$/im);
      socket.destroy();
    },
  );

  test('one that is taken to its end leaves the connection open', async () => {
    const request = () => {
      const body = roomBody();
      return (
        `POST /api/v1/rooms HTTP/1.1\r\nHost: ${server.host}\r\nAuthorization: Bearer ${ann.accessToken}\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      );
    };
    const { text } = await sendRaw(server, request() + request(), { quietMs: 2000 });
    expect(text.match(/HTTP\/1\.1 201 /g)).toHaveLength(2);
    expect(text).not.toMatch(/^connection: close\r$/im);
  });
});

describe('order of checks: 404/405 · 401 · 413/415/400 · 404 · 409', () => {
  const badBody = { method: 'POST', body: '{', headers: { 'content-encoding': 'gzip' } };

  test('an unknown path is 404 with any body', async () => {
    expectRefusal(await send(server, '/api/v1/nowhere', badBody), 404, 'not found');
  });

  test('a wrong method is 405 before the missing token', async () => {
    expectRefusal(await send(server, '/api/v1/ws/tickets'), 405, 'method not allowed');
  });

  test('a missing token is 401 before 415, 413 and 400', async () => {
    expectRefusal(await send(server, '/api/v1/rooms', badBody), 401, 'missing bearer token');
    expectRefusal(
      await send(server, '/api/v1/rooms', { method: 'POST', body: '{' }),
      401,
      'missing bearer token',
    );
    expectRefusal(await send(server, '/api/v1/rooms/abc/messages?limit=abc'), 401, 'missing bearer token');
    const head = `POST /api/v1/rooms HTTP/1.1\r\nHost: ${server.host}\r\nContent-Length: 1048576\r\n\r\n`;
    expect((await sendRaw(server, head, { quietMs: 2000 })).text).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('an invalid payload is 400 before room not found', async () => {
    expectRefusal(await postBody('/api/v1/ws/tickets', '{"room_id":"999999"}'), 400, 'invalid payload');
    expectRefusal(await postBody('/api/v1/ws/tickets', '{"room_id":999999}'), 404, 'room not found');
  });
});

function fieldsWith(text: Buffer): Buffer[] {
  const parts: Buffer[] = [Buffer.from('{"room_id":1')];
  for (const field of ['username', 'password', 'refresh_token', 'name', 'room_id']) {
    parts.push(Buffer.from(`,"${field}":"${PASSWORD}`), text, Buffer.from('"'));
  }
  return [...parts, Buffer.from('}')];
}
