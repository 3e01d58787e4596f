import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allowing, listen, outgoing, portOf } from './testing/listening.ts';

describe('Outgoing: odd responses', () => {
  it.each([
    ['none', ''],
    ['no HTTP', 'hello\r\n\r\n'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    ],
    ['a body that is broken off', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx'],
    [
      'headers without end',
      `HTTP/1.1 200 OK\r\n${'x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n'.repeat(500)}`,
    ],
  ])('%s: unreachable', async (_, bytes) => {
    const port = await portOf(
      createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes))),
    );
    await expect(allowing(port).request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });

  it('a compressed body is returned as it came', async () => {
    const port = await listen((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('raw'),
    );
    expect(String((await allowing(port).request(`http://127.0.0.1:${port}/`)).body)).toBe('raw');
  });

  it('an error says neither URL nor host', async () => {
    const error = await outgoing().request('http://127.0.0.1/secret').catch(String);
    expect(error).toBe('OutgoingError: outgoing request: refused (address)');
  });
});

const whyNoOpenssl =
  spawnSync('openssl', ['version']).error === undefined ? undefined : 'openssl is not installed';

describe.skipIf(whyNoOpenssl !== undefined)(`Outgoing: TLS ${whyNoOpenssl ?? ''}`, () => {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'roomful-outgoing-'));
    const subject = ['-subj', '/CN=push.example', '-addext', 'subjectAltName=DNS:push.example'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
    execFileSync('openssl', ['req', '-x509', ...key, '-days', '2', ...subject, ...files], {
      stdio: 'ignore',
    });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('the certificate must be for the name in the URL, and from an authority that is trusted', async () => {
    const [cert, key] = ['cert.pem', 'key.pem'].map((file) => readFileSync(join(dir, file), 'utf8'));
    const port = await portOf(createTlsServer({ cert, key }, (_, response) => response.end('hello')));
    const allow = ['push.example', 'other.example', '127.0.0.1'].map((host) => `${host}:${port}`);
    const resolve = async () => ['127.0.0.1'];
    const trusting = outgoing({ allow, resolve, ca: cert });
    expect(String((await trusting.request(`https://push.example:${port}/`)).body)).toBe('hello');
    for (const host of ['other.example', '127.0.0.1'])
      await expect(trusting.request(`https://${host}:${port}/`)).rejects.toMatchObject({
        reason: 'unreachable',
      });
    const usual = outgoing({ allow, resolve });
    await expect(usual.request(`https://push.example:${port}/`)).rejects.toMatchObject({
      reason: 'unreachable',
    });
  });
});
