import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../../protocol/errors.ts';
import { findClientDir, isClientFile, registerStatic, serveClient } from './static.ts';

const INDEX = '<!doctype html><title>entry page</title>';
const SCRIPT = `export const text = '${'roomful '.repeat(300)}';`;
const SECRET = 'outside the folder';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

let dir: string;
let app: FastifyInstance;
let bare: FastifyInstance;

/** A server as the process makes it, as far as static files go: the same calls, a stand-in for the error mapper. */
async function startApp(clientDir: string | null): Promise<FastifyInstance> {
  const server = fastify({
    frameworkErrors: (_error, _request, reply) =>
      void (reply as FastifyReply).code(400).send({ error: 'bad request' }),
  });
  server.get('/api/v1/rooms', async () => ({ rooms: [] }));
  server.setErrorHandler((error, _request, reply) => {
    const known = error instanceof AppError;
    return reply
      .code(known ? error.status : ((error as { statusCode?: number }).statusCode ?? 500))
      .send({ error: known ? error.message : 'other' });
  });
  server.setNotFoundHandler(serveClient);
  await registerStatic(server, { clientDir });
  await server.listen({ port: 0, host: '127.0.0.1' });
  return server;
}

/** Sends the target exactly as written: no client library may tidy it up on the way. */
function send(
  server: FastifyInstance,
  target: string,
  options: { method?: string; headers?: Record<string, string> } = {},
) {
  const { port } = server.server.address() as AddressInfo;
  return new Promise<Answer>((resolve, reject) => {
    const { method = 'GET', headers = {} } = options;
    request({ host: '127.0.0.1', port, path: target, method, headers, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }),
      );
    })
      .once('error', reject)
      .end();
  });
}

const get = (target: string, headers: Record<string, string> = {}) => send(app, target, { headers });

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'roomful-static-'));
  write('outside/secret.txt', SECRET);
  write('client/index.html', INDEX);
  write('client/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('client/assets/app-1a2b3c.js', SCRIPT);
  write('client/assets/app-1a2b3c.js.br', brotliCompressSync(SCRIPT));
  write('client/assets/app-1a2b3c.js.gz', gzipSync(SCRIPT));
  write('client/assets/odd name é%20.txt', 'odd');
  write('client/assets/trap.js', 'trap');
  write('client/.env', SECRET);
  write('client/.git/config', SECRET);
  write('client/gone.txt', 'here at the start');
  symlinkSync('../outside/secret.txt', join(dir, 'client/leak.txt'));
  symlinkSync('../../outside/secret.txt', join(dir, 'client/assets/trap.js.br'));
  symlinkSync('../outside', join(dir, 'client/leak'));
  symlinkSync('.env', join(dir, 'client/env.txt'));
  symlinkSync('nowhere', join(dir, 'client/dangling.txt'));
  symlinkSync('favicon.svg', join(dir, 'client/icon.svg'));
  symlinkSync('.', join(dir, 'client/loop'));
  app = await startApp(join(dir, 'client'));
  bare = await startApp(null);
});

afterAll(async () => {
  await app.close();
  await bare.close();
  rmSync(dir, { recursive: true });
});

describe('the client is served', () => {
  it.each(['/', '/index.html', '/rooms/7', '/rooms/7?x=1', '/login', '/a.b/c', '/?q', '/rooms/%E4%BD%A0'])(
    'index.html, no-cache, at %s',
    async (target) => {
      for (const accept of ['text/html', 'application/json', '*/*']) {
        const { status, headers, body } = await get(target, { accept });
        expect([status, body.toString()]).toEqual([200, INDEX]);
        expect(headers['cache-control']).toBe('no-cache');
        expect(headers['content-type']).toBe('text/html; charset=utf-8');
      }
    },
  );

  it('hashed assets are immutable', async () => {
    const { status, headers, body } = await get('/assets/app-1a2b3c.js?v=1');
    expect([status, body.toString()]).toEqual([200, SCRIPT]);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/i);
    expect(headers.vary).toBe('accept-encoding');
  });

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('compressed copies made at build time are sent as %s', async (encoding, decompress) => {
    const { headers, body } = await get('/assets/app-1a2b3c.js', { 'accept-encoding': encoding });
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers['content-type']).toMatch(/javascript/);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(decompress(body).toString()).toBe(SCRIPT);
  });

  it('brotli comes first where both are taken, and none where none is', async () => {
    const both = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, deflate, br' });
    expect(both.headers['content-encoding']).toBe('br');
    const none = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'identity' });
    expect(none.headers['content-encoding']).toBeUndefined();
    expect(none.body.toString()).toBe(SCRIPT);
  });

  it('other files are no-cache with an ETag, and 304 when it matches', async () => {
    const first = await get('/favicon.svg');
    expect(first.headers['cache-control']).toBe('no-cache');
    expect(first.headers['content-type']).toBe('image/svg+xml');
    const again = await get('/favicon.svg', { 'if-none-match': first.headers.etag ?? '' });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('a name is decoded exactly once', async () => {
    expect((await get('/assets/odd%20name%20%C3%A9%2520.txt')).body.toString()).toBe('odd');
  });

  it('a link within the folder is a file like any other', async () => {
    expect((await get('/icon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it.each(['/', '/rooms/7', '/assets/app-1a2b3c.js'])('HEAD = GET without body: %s', async (target) => {
    const [head, whole] = [await send(app, target, { method: 'HEAD' }), await get(target)];
    expect(head.body.length).toBe(0);
    const { date: _a, connection: _b, ...headHeaders } = head.headers;
    const { date: _c, connection: _d, ...wholeHeaders } = whole.headers;
    expect([head.status, headHeaders]).toEqual([whole.status, wholeHeaders]);
  });

  it('a range is answered with the whole file, a failed precondition is no 500', async () => {
    expect((await get('/index.html', { range: 'bytes=9999-' })).status).toBe(200);
    expect((await get('/index.html', { 'if-match': '"x"' })).status).toBe(412);
  });
});

describe('API, socket and health paths are never swallowed', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v1/nothing',
    '/api/v2/rooms',
    '/ws/x',
    '/health/x',
    '/healthz/',
    '/ready/now',
    '/version/x',
    '/%61pi/x',
  ])('an unknown path of the interface is 404 as JSON: %s', async (target) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { status, headers, body } = await send(app, target, { method });
      expect(status).toBe(404);
      expect(headers['content-type']).toMatch(/^application\/json/);
      if (method !== 'HEAD') expect(body.toString()).toBe('{"error":"not found"}');
    }
  });

  it('a path that only begins like one belongs to the client', async () => {
    for (const target of ['/apix', '/wsx', '/healthy', '/versions'])
      expect((await get(target)).body.toString()).toBe(INDEX);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s on a path of the client → 405 with Allow',
    async (method) => {
      for (const target of ['/', '/rooms/7', '/index.html', '/assets/none.js']) {
        const { status, headers, body } = await send(app, target, { method });
        expect([status, headers.allow, body.toString()]).toEqual([
          405,
          'GET, HEAD',
          '{"error":"method not allowed"}',
        ]);
      }
    },
  );
});

describe('a miss under /assets/ → 404', () => {
  it.each([
    '/assets/',
    '/assets/none.js',
    '/assets/app-1a2b3c.js.br',
    '/assets/app-1a2b3c.js.gz',
    '/assets/APP-1a2b3c.js',
    '/assets/x/y',
  ])('%s', async (target) => {
    const { status, body } = await get(target);
    expect([status, body.toString()]).toEqual([404, '{"error":"not found"}']);
  });
});

describe('every encoding of .., backslash, NUL, // and a symlink out of the client folder → 400/404', () => {
  it.each([
    '/..',
    '/../outside/secret.txt',
    '/assets/../../outside/secret.txt',
    '/assets/..',
    '/./index.html',
    '/.',
    '/%2e%2e/outside/secret.txt',
    '/%2E%2E%2Foutside%2Fsecret.txt',
    '/..%2foutside/secret.txt',
    '/.%2e/outside/secret.txt',
    '/assets/..%5c..%5coutside%5csecret.txt',
    '/..\\outside\\secret.txt',
    '/%5c',
    '/a%00b',
    '/index.html%00.js',
    '/%0d%0aset-cookie:x',
    '//',
    '//outside/secret.txt',
    '/a//b',
    '/%2f%2foutside',
    '/a%2f/b',
    '/%252e%252e/outside/secret.txt',
    '/%25252e%25252e/x',
    '/%252e%252e%255coutside',
    '/%252f%252fx',
    `/%${'25'.repeat(50)}2e%2e/`,
    '/%c0%ae%c0%ae/outside/secret.txt',
    '/%e0%80%ae/x',
    '/%u002e%u002e/x',
    '/%',
    '/%zz',
    '/%ff',
  ])('%s', async (target) => {
    const { status, headers, body } = await get(target);
    expect([400, 404]).toContain(status);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(body.toString()).toMatch(/^\{"error":"(bad request|not found)"\}$/);
  });

  it.each([
    '/leak.txt',
    '/leak/secret.txt',
    '/.env',
    '/.git/config',
    '/env.txt',
    '/dangling.txt',
    '/loop/index.html/x',
    '/assets/trap.js',
  ])('what may not be served does not exist: %s', async (target) => {
    const { body } = await get(target, { 'accept-encoding': 'br' });
    expect(body.includes(SECRET)).toBe(false);
    expect([INDEX, '{"error":"not found"}']).toContain(body.toString());
  });

  it('no target, whatever it is, gives a 500 or a byte from outside', async () => {
    const piece = fc.constantFrom(
      '/',
      '..',
      '.',
      '%2e',
      '%2f',
      '%5c',
      '\\',
      '%00',
      '%25',
      'leak',
      'outside',
      'secret.txt',
      'assets',
      '.env',
      '%',
      ';',
      '?',
      '%c0%ae',
      'http://x',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const { status, body } = await get(`/${pieces.join('')}`);
        expect(status).toBeLessThan(500);
        expect(body.includes(SECRET)).toBe(false);
      }),
      { numRuns: 150 },
    );
  });

  it('a file that was deleted since the start is a 404', async () => {
    expect((await get('/gone.txt')).status).toBe(200);
    rmSync(join(dir, 'client/gone.txt'));
    expect((await get('/gone.txt')).body.toString()).toBe('{"error":"not found"}');
  });
});

describe('without a client, a plain page says how to build it', () => {
  it('at every address of the client', async () => {
    for (const target of ['/', '/rooms/7', '/index.html']) {
      const { status, headers, body } = await send(bare, target);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(body.toString()).toMatch(/npm start/);
      expect(body.toString()).not.toMatch(/<script|<style| style=| on\w+=/);
    }
  });

  it('but not in the place of files and of the interface', async () => {
    for (const target of ['/assets/app.js', '/api/v1/nothing'])
      expect((await send(bare, target)).status).toBe(404);
  });
});

describe('the client folder', () => {
  it('an explicit one is taken, and refused with its name when it holds no entry page', () => {
    expect(findClientDir(join(dir, 'client'))).toBe(join(dir, 'client'));
    expect(() => findClientDir(join(dir, 'outside'))).toThrow(/CLIENT_DIR.*outside/);
    expect(() => findClientDir(join(dir, 'nowhere'))).toThrow(/CLIENT_DIR/);
  });

  it('is frontend/dist in the working directory, else web', () => {
    const before = process.cwd();
    try {
      process.chdir(dir);
      write('web/index.html', INDEX);
      expect(findClientDir()).toBe(join(process.cwd(), 'web'));
      write('frontend/dist/index.html', INDEX);
      expect(findClientDir()).toBe(join(process.cwd(), 'frontend', 'dist'));
    } finally {
      process.chdir(before);
    }
  });

  it('tells the rate limit which targets are files', () => {
    for (const target of ['/', '/index.html', '/assets/app-1a2b3c.js?x', '//favicon.svg'])
      expect(isClientFile(app, target)).toBe(true);
    for (const target of ['/rooms/7', '/assets/none.js', '/leak.txt', '/%zz'])
      expect(isClientFile(app, target)).toBe(false);
    expect(isClientFile(bare, '/')).toBe(false);
  });
});
