import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isClientFile } from './static.ts';
import { ClientFolder, INDEX, SCRIPT, send, serve } from './testing/client-folder.ts';

let folder: ClientFolder;
let app: FastifyInstance;
beforeAll(async () => {
  folder = new ClientFolder();
  app = await serve(folder.client);
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const get = (target: string, headers: Record<string, string> = {}) => send(app, target, { headers });

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

  it('brotli is preferred; without a common encoding the file is sent uncompressed', async () => {
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

  it('a link within the folder is served like a file', async () => {
    expect((await get('/icon.svg')).headers['content-type']).toBe('image/svg+xml');
  });

  it.each(['/', '/rooms/7', '/assets/app-1a2b3c.js'])('HEAD = GET without body: %s', async (target) => {
    const [head, whole] = [await send(app, target, { method: 'HEAD' }), await get(target)];
    expect(head.body.length).toBe(0);
    const { date: _a, connection: _b, ...headHeaders } = head.headers;
    const { date: _c, connection: _d, ...wholeHeaders } = whole.headers;
    expect([head.status, headHeaders]).toEqual([whole.status, wholeHeaders]);
  });

  it('a range request gets the whole file; a failed precondition is 412', async () => {
    expect((await get('/index.html', { range: 'bytes=9999-' })).status).toBe(200);
    expect((await get('/index.html', { 'if-match': '"x"' })).status).toBe(412);
  });
});

describe('a missing path that is named like a file is 404, never the entry page', () => {
  it.each([
    '/assets/',
    '/assets/none.js',
    '/assets/app-1a2b3c.js.br',
    '/assets/app-1a2b3c.js.gz',
    '/assets/APP-1a2b3c.js',
    '/assets/x/y',
    '/sw.js',
    '/deep/er/worker.mjs?v=1',
    '/SW.JS',
    '/style.css',
    '/main.js.map',
    '/site.webmanifest',
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/robots.txt',
    '/sitemap.xml',
    '/.well-known/security.txt',
    '/.well-known/change-password',
    '/.env',
    '/x/.git/config',
  ])('%s', async (target) => {
    for (const accept of ['*/*', 'text/html']) {
      const { status, body } = await get(target, { accept });
      expect([status, body.toString()]).toEqual([404, '{"error":"not found"}']);
    }
  });

  it.each(['/apix', '/people/ann.lee', '/rooms/v1.2', '/no.such.file', '/a.js/b', '/about.html'])(
    'a path that only resembles a file name gets the entry page: %s',
    async (target) => {
      expect((await get(target)).body.toString()).toBe(INDEX);
    },
  );
});

describe('without a client, a plain page says how to build it', () => {
  let bare: FastifyInstance;
  beforeAll(async () => {
    bare = await serve(null);
  });
  afterAll(async () => await bare.close());

  it('at every path of the client', async () => {
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

  it('but not at the path of a file', async () => {
    for (const target of ['/assets/app.js', '/sw.js']) expect((await send(bare, target)).status).toBe(404);
  });
});

it('the rate limit learns which targets are files', () => {
  for (const target of ['/', '/index.html', '/assets/app-1a2b3c.js?x', '//favicon.svg'])
    expect(isClientFile(app, target)).toBe(true);
  for (const target of ['/rooms/7', '/assets/none.js', '/leak.txt', '/%zz'])
    expect(isClientFile(app, target)).toBe(false);
});

describe('the manifest', () => {
  const manifest = { id: '/', name: 'Roomful', short_name: 'Roomful', display: 'standalone' };
  const asked = async (name: string, content: string, method = 'GET') => {
    const own = new ClientFolder();
    own.write('client/manifest.webmanifest', content);
    const named = await serve(own.client, async () => name);
    try {
      return await send(named, '/manifest.webmanifest', { method });
    } finally {
      await named.close();
      own.remove();
    }
  };

  it('has the name of the server, for a device that installs the client', async () => {
    const { status, headers, body } = await asked('Acme "&" Söhne', JSON.stringify(manifest));
    expect(status).toBe(200);
    expect(headers['content-type']).toMatch(/^application\/manifest\+json/);
    expect(headers['cache-control']).toBe('no-cache');
    const own = { name: 'Acme "&" Söhne', short_name: 'Acme "&" Söhne' };
    expect(JSON.parse(body.toString())).toEqual({ ...manifest, ...own });
    const head = await asked('Acme', JSON.stringify(manifest), 'HEAD');
    expect([head.status, head.body.length]).toEqual([200, 0]);
  });

  it.each([
    ['the server has its default name', 'Roomful', JSON.stringify(manifest, null, 2)],
    ['it is no JSON', 'Acme', '{'],
    ['it is no object', 'Acme', 'null'],
  ])('is the file of the build where %s', async (_, name, content) => {
    expect((await asked(name, content)).body.toString()).toBe(content);
  });
});
