/** What every proxy with its configuration of deploy/ has to do. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { newUpload, offsetOf } from '../support/uploads.ts';
import { createRoom, signUp } from '../support/users.ts';
import { Page } from './page.ts';
import { type ProxyKind, ProxyProcess, whyNoProxy } from './proxy-process.ts';

const MIB = 1024 * 1024;

/** The proxies run on this machine, as the files of deploy/ have it; 127.0.0.2 and 127.0.0.3 stand for clients. */
export const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: '100' };

export function describeProxy(kind: ProxyKind, file: string): void {
  const why = whyNoProxy(kind);

  describe.skipIf(why !== undefined)(`deploy/${file}, on a port that is not the default`, () => {
    let server: ServerProcess;
    let proxy: ProxyProcess;
    beforeAll(async () => {
      server = await ServerProcess.start({ env: BEHIND_PROXY });
      proxy = await ProxyProcess.start(kind, server.port);
    });
    afterAll(async () => {
      await proxy?.[Symbol.asyncDispose]();
      await server?.dispose();
    });

    test('a page signs in and opens a socket, and the log has no warning', async () => {
      const page = new Page(proxy);
      const { status, text } = await page.open(await page.ticket());
      expect(status).toBe(101);
      expect(text).toContain('"type":"hello"');
      expect(server.logs.filter((line) => Number(line.level) >= 40)).toEqual([]);
    });

    test('each client has its own limit, whatever X-Forwarded-For it sends', async () => {
      const [first, second] = [new Page(proxy, '127.0.0.2'), new Page(proxy, '127.0.0.3')];
      const replies = await Promise.all(
        Array.from({ length: 130 }, (_, index) =>
          first.get('/version', { 'x-forwarded-for': `198.51.100.${index}`, 'x-real-ip': '198.51.100.1' }),
        ),
      );
      expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThan(10);
      expect((await second.get('/version')).status).toBe(200);
    });

    test('a client cannot choose the own origin by X-Forwarded-Host or -Proto', async () => {
      const origin = encodeURIComponent('http://evil.example');
      const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' };
      expect((await new Page(proxy).get(`/ws?origin=${origin}`, forged)).status).toBe(403);
    });

    test('a body that is too large is refused by Roomful, in its own form', async () => {
      const reply = await new Page(proxy).post('/api/v1/auth/login', { username: 'a'.repeat(70_000) });
      expect(reply).toEqual({ status: 413, json: { error: 'payload too large' } });
    });

    test('8 MiB of an upload come through in a request, and what came before a cut counts', async () => {
      const login = await signUp(server);
      const { id } = await createRoom(server, login);
      const page = new Page(proxy);
      const begin = (key: string, length: number) =>
        page.begin({
          ...{ method: 'PATCH', path: `/api/v1/uploads/${key}` },
          headers: {
            authorization: `Bearer ${login.accessToken}`,
            'tus-resumable': '1.0.0',
            'upload-offset': 0,
            'content-type': 'application/offset+octet-stream',
            'content-length': length,
          },
        });
      const whole = await newUpload(server, login, id, { size: 8 * MIB });
      const reply = await page.end(begin(whole, 8 * MIB), Buffer.alloc(8 * MIB));
      expect(reply.status).toBe(204);
      const cut = await newUpload(server, login, id, { size: MIB });
      await eventually('bytes that came before a cut', async () => {
        const sending = begin(cut, MIB).on('error', () => undefined);
        // Node forgets the callback of a write when an early answer closes the socket.
        await new Promise((resolve) => sending.once('close', resolve).write(Buffer.alloc(300_000), resolve));
        await sleep(100);
        sending.destroy();
        return (await offsetOf(server, login, cut)) > 0 ? true : undefined;
      });
    });

    test('plain HTTP is redirected', async () => {
      const reply = await send({ port: proxy.plainPort }, '/rooms/1', {
        headers: { host: 'chat.example.org' },
      });
      expect([301, 308]).toContain(reply.status);
      expect(reply.headers.location).toMatch(/^https:\/\/chat\.example\.org\b.*\/rooms\/1$/);
    });
  });
}
