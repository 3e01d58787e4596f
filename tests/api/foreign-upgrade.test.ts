import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(() => server.stop());

/** curl and Java's client ask for HTTP/2 in this way, on any request, and expect to be served when it is not spoken. */
const FOREIGN =
  'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';

function request(line: string, body = ''): string {
  const framing = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  return `${line} HTTP/1.1\r\n${FOREIGN}${framing}\r\n${body}`;
}

function bodies(text: string): string[] {
  return text.match(/^\{.*?\}(?=HTTP|$)/gm) ?? [];
}

describe('an Upgrade that is not ours is ignored, and the request served (RFC 9110 §7.8)', () => {
  test('a GET', async () => {
    const { text } = await sendRaw(server, request('GET /healthz'), { quietMs: 500 });
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(bodies(text)).toEqual(['{"status":"ok"}']);
  });

  test('a POST with its body', async () => {
    const body = JSON.stringify({ username: 'ann', password: 'password1' });
    const { text } = await sendRaw(server, request('POST /api/v1/auth/register', body), { quietMs: 3000 });
    expect(text).toMatch(/^HTTP\/1\.1 201 Created/);
    expect(bodies(text)).toEqual(['{"id":1,"username":"ann"}']);
  });

  test('the requests that follow on the same connection', async () => {
    const both = `${request('GET /healthz')}GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`;
    const { text } = await sendRaw(server, both, { quietMs: 500 });
    expect(bodies(text)).toEqual(['{"status":"ok"}', '{"status":"ok"}']);
  });

  test('a request behind pending ones is served in its turn', async () => {
    const slow = JSON.stringify({ username: 'bo', password: 'password1' });
    const first = `POST /api/v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: ${slow.length}\r\n\r\n${slow}`;
    const second = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n';
    const { text } = await sendRaw(server, `${first}${second}${request('GET /healthz')}`, { quietMs: 3000 });
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 200']);
    expect(bodies(text)[0]).toMatch(/^\{"id":\d+,"username":"bo"\}$/);
    expect(bodies(text)[2]).toBe('{"status":"ok"}');
  });

  test('a WebSocket handshake behind a pending request is checked in its turn', async () => {
    const slow = JSON.stringify({ username: 'cy', password: 'password1' });
    const first = `POST /api/v1/auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: ${slow.length}\r\n\r\n${slow}`;
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    const second = `GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`;
    const { text } = await sendRaw(server, first + second);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 401']);
  });

  test.each(['close, Upgrade', 'Upgrade, close', 'Upgrade,CLOSE'])(
    'Connection: %s closes',
    async (connection) => {
      const head = `Host: x\r\nConnection: ${connection}\r\nUpgrade: h2c\r\n\r\n`;
      const { text, closed } = await sendRaw(server, `GET /healthz HTTP/1.1\r\n${head}`);
      expect(text).toMatch(/^HTTP\/1\.1 200 OK/);
      expect(closed).toBe(true);
    },
  );

  test('another method on the path of the WebSocket: 405', async () => {
    const { text } = await sendRaw(server, request('DELETE /ws'), { quietMs: 500 });
    expect(text).toMatch(/^HTTP\/1\.1 405 Method Not Allowed/);
  });
});
