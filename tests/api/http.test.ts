/** HTTP itself: paths, methods, headers, framing. */
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

const ROUTES: [path: string, methods: string[]][] = [
  ['/api/v1/auth/register', ['POST']],
  ['/api/v1/auth/login', ['POST']],
  ['/api/v1/auth/refresh', ['POST']],
  ['/api/v1/auth/logout', ['POST']],
  ['/api/v1/rooms', ['GET', 'HEAD', 'POST']],
  ['/api/v1/rooms/1/messages', ['GET', 'HEAD']],
  ['/api/v1/ws/tickets', ['POST']],
  ['/health', ['GET', 'HEAD']],
  ['/healthz', ['GET', 'HEAD']],
  ['/ready', ['GET', 'HEAD']],
  ['/version', ['GET', 'HEAD']],
];

describe('404 not found for an unknown API path', () => {
  test.each([
    ...['/api', '/api/', '/api/v1', '/api/v1/', '/api/v2/rooms', '/api/v1/nowhere', '/api/v1/rooms/1'],
    ...['/api/v1/auth', '/api/v1/auth/login/x', '/api/v1/Rooms', '/api/v1/rooms/1/messages/2', '/health/x'],
    ...['/ready/', '/version/x', '/api/v1/rooms;x=1', '/api/v1/__proto__', '/api/v1/constructor', '/ws/x'],
  ])('GET %s', async (path) => {
    expectRefusal(await send(server, path, { token: ann.accessToken }), 404, 'not found');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '%s below a path of the interface, too',
    async (method) => {
      for (const path of [
        '/api/v1/nowhere',
        '/api',
        '/ws/x',
        '/health/x',
        '/ready/',
        '/%61pi/x',
        '/metrics',
      ]) {
        expectRefusal(await send(server, path, { method }), 404, 'not found');
      }
    },
  );

  test('GET /metrics, until there are any', async () => {
    expectRefusal(await send(server, '/metrics', { headers: { accept: 'text/plain' } }), 404, 'not found');
  });
});

describe('405 method not allowed, with Allow', () => {
  test.each(ROUTES)('%s takes %j and nothing else', async (path, methods) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      if (methods.includes(method)) continue;
      const reply = await send(server, path, { method, token: ann.accessToken });
      expectRefusal(reply, 405, 'method not allowed');
      expect(reply.headers.allow?.split(/, */).sort()).toEqual(methods);
    }
  });

  test('methods that nobody knows are a 4xx or a 501, and the server lives', async () => {
    for (const method of ['PROPFIND', 'LINK', 'BREW']) {
      const { text } = await sendRaw(
        server,
        `${method} /api/v1/rooms HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`,
        {
          quietMs: 1000,
        },
      );
      expect(text).toMatch(/^HTTP\/1\.1 (4\d\d|501) /);
    }
  });
});

describe('HEAD is GET without a body', () => {
  test.each(['/health', '/healthz', '/version', '/ready', '/api/v1/rooms', '/', '/rooms/1'])(
    '%s',
    async (path) => {
      const get = await send(server, path, { token: ann.accessToken });
      const head = await send(server, path, { method: 'HEAD', token: ann.accessToken });
      expect({ status: head.status, body: head.text }).toEqual({ status: 200, body: '' });
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
      if (path !== '/health') expect(head.headers['content-length']).toBe(get.headers['content-length']);
    },
  );

  test('errors too', async () => {
    const head = await send(server, '/api/v1/rooms', { method: 'HEAD' });
    expect({ status: head.status, body: head.text }).toEqual({ status: 401, body: '' });
  });
});

describe('security headers on every answer, errors too', () => {
  test.each<[string, () => Promise<{ status: number; headers: Record<string, unknown> }>, number]>([
    ['an answer', () => send(server, '/healthz'), 200],
    ['a page', () => send(server, '/'), 200],
    ['400', () => send(server, '/api/v1/auth/login', { method: 'POST', body: '{' }), 400],
    ['401', () => send(server, '/api/v1/rooms'), 401],
    ['404', () => send(server, '/api/v1/nowhere'), 404],
    ['404 of a file', () => send(server, '/assets/nothing.js'), 404],
    ['405', () => send(server, '/api/v1/rooms', { method: 'PUT' }), 405],
    [
      '415',
      () =>
        send(server, '/api/v1/auth/login', {
          method: 'POST',
          body: '{}',
          headers: { 'content-encoding': 'br' },
        }),
      415,
    ],
    ['a refused upgrade', () => send(server, '/ws'), 426],
  ])('%s', async (_, ask, status) => {
    const reply = await ask();
    expect(reply.status).toBe(status);
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
    expect(reply.headers['referrer-policy']).toBe('no-referrer');
    const csp = String(reply.headers['content-security-policy']);
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp).toContain("require-trusted-types-for 'script'");
    expect(csp).not.toMatch(/unsafe-(inline|eval)/);
    expect(reply.headers['x-powered-by']).toBeUndefined();
    expect(reply.headers.server).toBeUndefined();
  });

  test('a request that is no HTTP', async () => {
    const { text } = await sendRaw(server, 'rubbish\r\n\r\n', { quietMs: 1000 });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(text).toMatch(/\r\n\r\n\{"error":"bad request"\}$/);
  });

  test('a foreign origin gets no CORS grant, in a preflight or elsewhere', async () => {
    const headers = {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    for (const method of ['OPTIONS', 'GET']) {
      const reply = await send(server, '/api/v1/rooms', { method, headers, token: ann.accessToken });
      expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });
});

describe('CORS', () => {
  test('an origin of ALLOWED_ORIGINS gets its grant, by name; no other does', async () => {
    const allowed = 'https://chat.example.org';
    await using open = await ServerProcess.start({ env: { ALLOWED_ORIGINS: allowed } });
    const preflight = (origin: string) =>
      send(open, '/api/v1/rooms', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, content-type, idempotency-key',
        },
      });
    const granted = await preflight(allowed);
    expect([200, 204]).toContain(granted.status);
    expect(granted.headers['access-control-allow-origin']).toBe(allowed);
    expect(granted.headers.vary?.toLowerCase()).toContain('origin');
    const names = String(granted.headers['access-control-allow-headers']).toLowerCase();
    for (const name of ['authorization', 'content-type', 'idempotency-key']) expect(names).toContain(name);
    const answer = await send(open, '/api/v1/rooms', { headers: { origin: allowed } });
    expect(answer.headers['access-control-allow-origin']).toBe(allowed);
    for (const origin of ['https://evil.example', `${allowed}.evil.example`, 'null']) {
      const reply = await preflight(origin);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});

describe('framing that two servers could read differently is 400 and closed', () => {
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

  test('thousands of headers are a 4xx, and the server lives', async () => {
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

  test('a request line without an end is 4xx or closed', async () => {
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

  test('an expectation that nobody can meet', async () => {
    const reply = await send(server, '/healthz', { headers: { expect: 'miracles' } });
    expect(reply.status).toBeGreaterThanOrEqual(200);
    expect(reply.status).toBeLessThan(500);
  });

  test('an error names no path, no stack and no SQL', async () => {
    const reply = await send(server, '/api/v1/rooms/1/messages?limit=%27', { token: ann.accessToken });
    expectRefusal(reply, 400, 'invalid limit');
  });
});
