import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientFolder, INDEX, SECRET, send, serve } from './testing/client-folder.ts';

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
  ])('a file that may not be served seems not to exist: %s', async (target) => {
    const { body } = await get(target, { 'accept-encoding': 'br' });
    expect(body.includes(SECRET)).toBe(false);
    expect([INDEX, '{"error":"not found"}']).toContain(body.toString());
  });

  it('no target gives a 500 or a byte from outside the folder', async () => {
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

  it('a file that was deleted after the start is 404', async () => {
    expect((await get('/gone.txt')).status).toBe(200);
    rmSync(join(folder.client, 'gone.txt'));
    expect((await get('/gone.txt')).body.toString()).toBe('{"error":"not found"}');
  });
});
