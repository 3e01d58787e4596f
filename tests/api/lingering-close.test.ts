/** A response that ends its connection arrives, however much of the request is still to come (RFC 9112 §9.6). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { get, slowLogin, wsUpgrade } from '../support/raw-requests.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Larger than the limit of a body, and than what the server reads at once. */
const BODY = Buffer.alloc(256 * 1024, 'a');
/** The server closes a connection that lingers longer. An attempt on a busy machine may take as long. */
const DEADLINE_SECONDS = 5;

let server: ServerProcess;
beforeAll(async () => {
  server = await ServerProcess.start();
});
afterAll(async () => await server?.dispose());

function head(method: string, path: string, headers: string, version = '1.1'): string {
  return `${method} ${path} HTTP/${version}\r\nHost: x\r\n${headers}\r\n`;
}

const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const LOGIN = '/api/v1/auth/login';

/** A connection whose own side stays open when the server's has ended. */
async function connectHalfOpen(): Promise<{ socket: Socket; errors: Error[] }> {
  const socket = connect({ host: '127.0.0.1', port: server.port, allowHalfOpen: true });
  const errors: Error[] = [];
  socket.on('error', (error) => errors.push(error));
  await once(socket, 'connect');
  return { socket, errors };
}

/** Resolves when the connection is gone. */
function closeOf(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

/** Reads until the server has ended its side. */
async function readResponse(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return Buffer.concat(parts).toString('latin1');
}

/** Writes `start`, waits for the response, writes the rest, and closes. `seconds`: how long all of it took. */
async function sendAll(start: string): Promise<{ text: string; errors: Error[]; seconds: number }> {
  const { socket, errors } = await connectHalfOpen();
  const began = performance.now();
  socket.write(start);
  const text = await readResponse(socket);
  // By now, a server that does not linger has closed the connection. The first of these would get a reset.
  await send(server, '/healthz');
  for (let at = 0; at < BODY.length; at += 0x8000) {
    await new Promise((resolve) => socket.write(BODY.subarray(at, at + 0x8000), resolve));
  }
  if (!socket.destroyed) await closeOf(socket.end());
  return { text, errors, seconds: (performance.now() - began) / 1000 };
}

describe('a client that sends all of its request before it looks at the response gets no reset', () => {
  test.each<[number, string, string]>([
    [413, 'a body that is announced as too large', head('POST', LOGIN, LENGTH)],
    [
      413,
      'a chunked body that is too large',
      `${head('POST', LOGIN, 'Transfer-Encoding: chunked\r\n')}100000\r\n${'a'.repeat(70_000)}`,
    ],
    [415, 'a compressed body', head('POST', LOGIN, `Content-Encoding: gzip\r\n${LENGTH}`)],
    [
      401,
      'no token, and the connection closes',
      head('POST', '/api/v1/rooms', `Connection: close\r\n${LENGTH}`),
    ],
    [
      404,
      'no such path, and the connection closes',
      head('POST', '/api/v1/no', `Connection: close\r\n${LENGTH}`),
    ],
    [405, 'no such method, in HTTP/1.0', head('POST', '/', LENGTH, '1.0')],
    [400, 'a chunk that cannot be parsed', `${head('POST', LOGIN, 'Transfer-Encoding: chunked\r\n')}zz\r\n`],
    [400, 'bytes that are no request', '\0garbage\r\n\r\n'],
    [431, 'headers that are too large', `${get('/healthz').slice(0, -2)}X-Long: ${'a'.repeat(20_000)}`],
    [401, 'an upgrade without a ticket', wsUpgrade()],
    [200, 'more requests than may wait', slowLogin() + get('/healthz').repeat(300)],
  ])('%i: %s', async (status, _, start) => {
    const { text, errors } = await eventually('an attempt within the deadline', async () => {
      const attempt = await sendAll(start);
      return attempt.seconds < DEADLINE_SECONDS ? attempt : undefined;
    });
    expect(errors).toEqual([]);
    expect(text).toContain(`HTTP/1.1 ${status} `);
  });
});

test('a client whose body never ends is cut off at a deadline', async () => {
  const { socket } = await connectHalfOpen();
  socket.write(head('POST', LOGIN, 'Content-Length: 1000000000\r\n'));
  expect(await readResponse(socket)).toMatch(/^HTTP\/1\.1 413 /);
  const closed = closeOf(socket);
  const sending = setInterval(() => socket.write('a'), 50);
  await closed;
  clearInterval(sending);
});
