/** Request heads that parsers disagree on: framing, hosts and targets. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { send, sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

describe('framing that two servers could parse differently is 400, and the connection is closed', () => {
  const body = '{"username":"ann","password":"correct horse battery"}';
  const head = (lines: string[]) =>
    ['POST /api/v1/auth/login HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n');

  test.each<[string, string]>([
    ['length and chunked', `${head(['Content-Length: 5', 'Transfer-Encoding: chunked'])}0\r\n\r\n`],
    ['two lengths', head([`Content-Length: ${body.length}`, 'Content-Length: 5']) + body],
    ['the length twice', head([`Content-Length: ${body.length}`, `Content-Length: ${body.length}`]) + body],
    ['a list of lengths', head([`Content-Length: ${body.length}, ${body.length}`]) + body],
    ['a length with a sign', head([`Content-Length: +${body.length}`]) + body],
    ['a negative length', head(['Content-Length: -1']) + body],
    ['a length in hexadecimal', head(['Content-Length: 0x35']) + body],
    ['chunked, but not last', `${head(['Transfer-Encoding: chunked, gzip'])}0\r\n\r\n`],
    ['an unknown coding', `${head(['Transfer-Encoding: xchunked'])}0\r\n\r\n`],
    ['a space before the colon', `${head(['Transfer-Encoding : chunked'])}0\r\n\r\n`],
    ['a bad chunk size', `${head(['Transfer-Encoding: chunked'])}zz\r\n\r\n`],
    ['a huge chunk size', `${head(['Transfer-Encoding: chunked'])}fffffffffffffffff\r\n\r\n`],
    ['bare line feeds', head([]).replaceAll('\r\n', '\n')],
    ['obsolete folding', head(['X-Folded: a', ' b', 'Content-Length: 0'])],
    ['a NUL in a header', head(['X-Nul: a\0b', 'Content-Length: 0'])],
    ['a header without a name', head([': a', 'Content-Length: 0'])],
    ['an HTTP version of its own', 'GET /health HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a space in the target', 'GET /health /x HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { text, closed } = await sendRaw(server, bytes, { quietMs: 3000 });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(closed).toBe(true);
    expect(text.split('HTTP/1.1 ').length).toBe(2);
    expect(text).toMatch(/\{"error":"[a-z ]+"\}$/);
  });

  test('a request without Host is 400', async () => {
    const { text } = await sendRaw(server, 'GET /health HTTP/1.1\r\n\r\n', { quietMs: 500 });
    expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"bad request"\}$/);
  });

  test.each(['Host: x\r\nHost: x', 'Host: x\r\nHost: y', 'Host: x\r\nhOST: x', 'Host: x, y/z'])(
    '%j is 400 (RFC 9112 §3.2)',
    async (hosts) => {
      const { text } = await sendRaw(server, `GET /health HTTP/1.1\r\n${hosts}\r\n\r\n`, { quietMs: 500 });
      expect(text).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"bad request"\}$/);
    },
  );

  test('thousands of headers are a 4xx, and the server stays up', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `X-${index}: 1`);
    const { text } = await sendRaw(
      server,
      ['GET /health HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n'),
      {
        quietMs: 2000,
      },
    );
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect((await send(server, '/health')).status).toBe(200);
  });

  test('a request line of 100 kB is 4xx or closed', async () => {
    const { text } = await sendRaw(server, `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, {
      quietMs: 2000,
    });
    expect(text).toMatch(/^(HTTP\/1\.1 4\d\d |$)/);
    expect((await send(server, '/health')).status).toBe(200);
  });
});

describe('odd targets', () => {
  test.each([
    ...[
      '/%',
      '/%zz',
      '/%c0%af',
      '/%ff',
      '/%00',
      '/health%00',
      '/a\\b',
      '/..%2f..%2fetc%2fpasswd',
      '/%2e%2e/x',
    ],
    ...[
      '/./x',
      '/../x',
      '//evil.example',
      '/a//b',
      '/..%5c..%5cx',
      '/%252e%252e/x',
      '/assets/../../package.json',
    ],
    ...['/api/v1/rooms/%/messages', '/api/v1/rooms/%ff/messages', '/api/v1/rooms/..%2f1/messages'],
  ])('%s is 400 or 404', async (path) => {
    const reply = await send(server, path, { token: ann.accessToken });
    expect([400, 404]).toContain(reply.status);
    expect(Object.keys(reply.json as object)).toEqual(['error']);
  });

  test('the absolute form names the same path', async () => {
    const room = await createRoom(server, ann);
    const target = `http://other.example/api/v1/rooms/${room.id}/messages`;
    expect([200, 400]).toContain((await send(server, target, { token: ann.accessToken })).status);
  });

  test('an unknown expectation is no server error', async () => {
    const reply = await send(server, '/healthz', { headers: { expect: 'miracles' } });
    expect(reply.status).toBeGreaterThanOrEqual(200);
    expect(reply.status).toBeLessThan(500);
  });

  test('an error names no path, no stack and no SQL', async () => {
    const reply = await send(server, '/api/v1/rooms/1/messages?limit=%27', { token: ann.accessToken });
    expectRefusal(reply, 400, 'invalid limit');
  });
});
