/** Slow clients: each connection times out by itself, and no other waits for it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

const CLIENTS = 50;
/** The timeout is 20 s; the rest allows for a busy machine. */
const GONE_WITHIN_MS = 40_000;

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

/** Connects, writes `first`, then one byte of `rest` a second; resolves with everything that was received. */
async function dawdle(first: string, rest: string): Promise<string> {
  const socket: Socket = connect(server.port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    heard += text;
  });
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.on('close', resolve));
  await once(socket, 'connect');
  if (first !== '') socket.write(first);
  let at = 0;
  const ticker = setInterval(() => {
    if (rest !== '' && socket.writable) socket.write(rest[at++ % rest.length] ?? '');
  }, 1000);
  await closed;
  clearInterval(ticker);
  return heard;
}

const head = (length: number) =>
  `POST /api/v1/auth/login HTTP/1.1\r\nHost: ${server.host}\r\nContent-Length: ${length}\r\n\r\n`;

describe('slow-header, slow-body and idle floods', () => {
  test('sockets are freed, with 408 where a request had begun, and the others are served meanwhile', {
    timeout: GONE_WITHIN_MS,
  }, async () => {
    const flood = (first: () => string, rest: string) =>
      Promise.all(Array.from({ length: CLIENTS }, () => dawdle(first(), rest)));
    let over = false;
    const floods = Promise.all([
      flood(() => 'GET /health HTTP/1.1\r\nX-Slow: ', 'a'),
      flood(() => head(1000), '{'),
      flood(() => '', ''),
      flood(() => `GET /healthz HTTP/1.1\r\nHost: ${server.host}\r\n\r\n`, ''),
    ]).finally(() => {
      over = true;
    });
    while (!over) {
      expect((await send(server, '/health')).status).toBe(200);
      await sleep(250);
    }
    const [slowHeaders, slowBodies, , idle] = await floods;
    for (const text of [...slowHeaders, ...slowBodies]) {
      expect(text).toMatch(/^(HTTP\/1\.1 408 [\s\S]*\{"error":"request timeout"\}|)$/);
    }
    for (const text of idle) expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
});
