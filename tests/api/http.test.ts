/** HTTP itself: paths, methods and headers. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { send, sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { type Login, signUp } from '../support/users.ts';

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
    ...['/api', '/api/', '/api/v1', '/api/v1/', '/api/v2/rooms', '/api/v1/nowhere', '/api/v1/rooms/1/x'],
    ...['/api/v1/auth', '/api/v1/auth/login/x', '/api/v1/Rooms', '/api/v1/rooms/1/messages/2/x', '/health/x'],
    ...['/ready/', '/version/x', '/api/v1/rooms;x=1', '/api/v1/__proto__', '/api/v1/constructor', '/ws/x'],
  ])('GET %s', async (path) => {
    expectRefusal(await send(server, path, { token: ann.accessToken }), 404, 'not found');
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s below a path of the API', async (method) => {
    for (const path of ['/api/v1/nowhere', '/api', '/ws/x', '/health/x', '/ready/', '/%61pi/x', '/metrics']) {
      expectRefusal(await send(server, path, { method }), 404, 'not found');
    }
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

  test('unknown methods are a 4xx or a 501, and the server stays up', async () => {
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

  test('of errors, too', async () => {
    const head = await send(server, '/api/v1/rooms', { method: 'HEAD' });
    expect({ status: head.status, body: head.text }).toEqual({ status: 401, body: '' });
  });
});

describe('security headers on every response, including errors', () => {
  test.each<[string, () => Promise<{ status: number; headers: Record<string, unknown> }>, number]>([
    ['a response', () => send(server, '/healthz'), 200],
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

  test('a request that is not HTTP', async () => {
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
  test('an origin of ALLOWED_ORIGINS is allowed by name; no other is', async () => {
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
    const methods = String(granted.headers['access-control-allow-methods']).split(', ');
    expect(methods.sort()).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    const response = await send(open, '/api/v1/rooms', { headers: { origin: allowed } });
    expect(response.headers['access-control-allow-origin']).toBe(allowed);
    for (const origin of ['https://evil.example', `${allowed}.evil.example`, 'null']) {
      const reply = await preflight(origin);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });
});
