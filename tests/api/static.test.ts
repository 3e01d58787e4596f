import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/expect-reply.ts';
import { type RequestOptions, send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

const ENTRY = '<!doctype html><title>entry page</title>';
const SCRIPT = `export const text = '${'roomful '.repeat(300)}';`;

let folder: string;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-client-'));
  const client = join(folder, 'client');
  await mkdir(join(client, 'assets'), { recursive: true });
  await writeFile(join(client, 'index.html'), ENTRY);
  await writeFile(join(client, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(client, 'sw.js'), SCRIPT);
  await writeFile(join(client, 'manifest.webmanifest'), '{}');
  await writeFile(join(client, 'assets', 'main-abc123.js'), SCRIPT);
  await writeFile(join(client, 'assets', 'main-abc123.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(client, 'assets', 'main-abc123.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(folder, 'outside.txt'), 'outside the client folder');
  await symlink(join(folder, 'outside.txt'), join(client, 'linked.txt'));
  server = await ServerProcess.start({ env: { CLIENT_DIR: client } });
});
afterAll(async () => {
  await server?.dispose();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, options: RequestOptions = {}) => send(server, path, options);

describe('the built client', () => {
  test.each(['/', '/index.html'])('%s is the entry page: HTML, no-cache', async (path) => {
    const reply = await get(path);
    expect({ status: reply.status, body: reply.text }).toEqual({ status: 200, body: ENTRY });
    expect(reply.headers['content-type']).toMatch(/^text\/html; *charset=utf-8$/i);
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-security-policy']).toContain("script-src 'self'");
  });

  test.each(['/rooms/1', '/rooms/1?x=1', '/login', '/deep/er/still', '/no.such.file'])(
    'every other GET that is no file gets the entry page, with any Accept: %s',
    async (path) => {
      for (const accept of ['text/html', 'application/json', '*/*', 'image/png']) {
        const reply = await get(path, { headers: { accept } });
        expect({ status: reply.status, body: reply.text }).toEqual({ status: 200, body: ENTRY });
        expect(reply.headers['cache-control']).toBe('no-cache');
      }
    },
  );

  test('hashed assets are immutable; brotli and gzip come from the build', async () => {
    const plain = await get('/assets/main-abc123.js');
    expect(plain.text).toBe(SCRIPT);
    expect(plain.headers['cache-control']).toMatch(/max-age=31536000.*immutable/);
    expect(plain.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    expect(plain.headers.vary).toMatch(/accept-encoding/i);
    for (const [accepted, encoding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const reply = await get('/assets/main-abc123.js', { headers: { 'accept-encoding': accepted } });
      expect(reply.headers['content-encoding']).toBe(encoding);
      expect(reply.headers['content-type']).toBe(plain.headers['content-type']);
    }
  });

  test('the service worker is never stale: a script, no-cache, under the policy that its page has', async () => {
    const reply = await get('/sw.js');
    expect(reply.headers['content-type']).toMatch(/^(text|application)\/javascript/);
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-security-policy']).toContain("worker-src 'self'");
  });

  test('the manifest is application/manifest+json', async () => {
    const reply = await get('/manifest.webmanifest');
    expect(reply.headers['content-type']).toMatch(/^application\/manifest\+json/);
    expect(reply.headers['content-security-policy']).toContain("manifest-src 'self'");
  });

  test('an unchanged file is 304', async () => {
    const { headers } = await get('/favicon.svg');
    expect(headers.etag).toBeDefined();
    const reply = await get('/favicon.svg', { headers: { 'if-none-match': String(headers.etag) } });
    expect({ status: reply.status, body: reply.text }).toEqual({ status: 304, body: '' });
  });

  test('HEAD is GET without a body', async () => {
    const head = await get('/rooms/1', { method: 'HEAD' });
    expect({ status: head.status, body: head.text }).toEqual({ status: 200, body: '' });
    expect(head.headers['content-length']).toBe(String(ENTRY.length));
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is 405 with Allow',
    async (method) => {
      for (const path of ['/', '/rooms/1', '/index.html', '/assets/none.js']) {
        const reply = await get(path, { method });
        expectRefusal(reply, 405, 'method not allowed');
        expect(reply.headers.allow).toBe('GET, HEAD');
      }
    },
  );
});

describe('a missing file or an API path is 404, never the entry page', () => {
  test.each([
    '/assets/main-000000.js',
    '/assets/',
    '/assets/x/y.css',
    '/old-worker.js',
    '/api/v1/nowhere',
    '/api',
    '/health/x',
  ])('%s', async (path) => {
    expectRefusal(await get(path, { headers: { accept: 'text/html' } }), 404, 'not found');
  });

  test('API, socket and health paths are never swallowed', async () => {
    expectRefusal(await get('/api/v1/rooms'), 401, 'missing bearer token');
    expectRefusal(await get('/ws'), 426, 'upgrade required');
    expect((await get('/health')).json).toMatchObject({ status: 'ok' });
  });
});

describe('nothing outside the folder', () => {
  test.each([
    ...[
      '/../outside.txt',
      '/..%2foutside.txt',
      '/%2e%2e/outside.txt',
      '/%2e%2e%2foutside.txt',
      '/..\\outside.txt',
    ],
    ...[
      '/..%5coutside.txt',
      '/assets/../../outside.txt',
      '/assets/..%2f..%2foutside.txt',
      '/%252e%252e/outside.txt',
    ],
    ...[
      '/linked.txt%00.html',
      '//outside.txt',
      '/./../outside.txt',
      '/.%2e/outside.txt',
      '/..%c0%afoutside.txt',
    ],
  ])('%s is 400 or 404', async (path) => {
    const reply = await get(path);
    expect([400, 404]).toContain(reply.status);
    expect(reply.text).not.toContain('outside the client folder');
  });

  test('a symlink out of the folder is not followed', async () => {
    const reply = await get('/linked.txt');
    expect(reply.text).not.toContain('outside the client folder');
  });
});

describe('without a built client', () => {
  test('a plain page says how to build one, under the same policy', async () => {
    // Found only when neither the working directory nor the package has one, so an empty one is named.
    const empty = join(folder, 'none');
    await mkdir(empty);
    await expect(ServerProcess.start({ env: { CLIENT_DIR: empty } })).rejects.toThrow(/CLIENT_DIR/);
  });
});
