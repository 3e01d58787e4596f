import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { isUnfinished, Unfinished } from './unfinished.ts';

const [TEXT, CONTINUATION, PING] = [1, 0, 9];

let server: WebSocketServer;
let websocket: WebSocket;
let socket: Socket;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const head = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Host: x'];
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  socket.write(`GET / HTTP/1.1\r\n${[...head, key].join('\r\n')}\r\n\r\n`);
  [websocket] = (await once(server, 'connection')) as [WebSocket];
  socket.resume();
});
afterEach(() => {
  socket.destroy();
  server.close();
});

/** A masked frame whose mask is zero. */
function frame(opcode: number, text: string, isFinal = true): Buffer {
  const head = [(isFinal ? 0x80 : 0) | opcode, 0x80 | text.length, 0, 0, 0, 0];
  return Buffer.concat([Buffer.from(head), Buffer.from(text)]);
}

/** Sends the bytes, then a ping, and waits until that has come. */
async function sent(bytes: Buffer): Promise<void> {
  const ping = once(websocket, 'ping');
  socket.write(Buffer.concat([bytes, frame(PING, 'x')]));
  await ping;
}

test('a message whose last fragment does not come is overdue after 30 s, whatever pings come between', async () => {
  const unfinished = new Unfinished();
  expect(unfinished.isOverdue(websocket, 0)).toBe(false);
  await sent(frame(TEXT, 'begun', false));
  expect(isUnfinished(websocket)).toBe(true);
  expect(unfinished.isOverdue(websocket, 1000)).toBe(false);
  await sent(frame(CONTINUATION, 'more', false));
  expect(unfinished.isOverdue(websocket, 31_000)).toBe(false);
  expect(unfinished.isOverdue(websocket, 31_001)).toBe(true);
});

test('one that is complete in time is not, and the next one has a time of its own', async () => {
  const unfinished = new Unfinished();
  websocket.on('message', () => unfinished.end());
  await sent(frame(TEXT, 'begun', false));
  expect(unfinished.isOverdue(websocket, 1000)).toBe(false);
  await sent(Buffer.concat([frame(CONTINUATION, 'ended'), frame(TEXT, 'begun', false)]));
  expect(unfinished.isOverdue(websocket, 40_000)).toBe(false);
  await sent(frame(CONTINUATION, 'ended'));
  expect(isUnfinished(websocket)).toBe(false);
  expect(unfinished.isOverdue(websocket, 80_000)).toBe(false);
});

test.each([
  ['its first byte', 1],
  ['its head', 6],
  ['half of its text', 9],
])('a frame of which no more than %s comes is overdue, too', async (_, bytes) => {
  const unfinished = new Unfinished();
  socket.write(frame(TEXT, 'begun').subarray(0, bytes));
  while (!isUnfinished(websocket)) await new Promise((resolve) => setImmediate(resolve));
  expect(unfinished.isOverdue(websocket, 0)).toBe(false);
  expect(unfinished.isOverdue(websocket, 30_001)).toBe(true);
});

test('the time for which the process stood still does not count', async () => {
  const unfinished = new Unfinished();
  await sent(frame(TEXT, 'begun', false));
  expect(unfinished.isOverdue(websocket, 0)).toBe(false);
  unfinished.stoodStill(60_000);
  expect(unfinished.isOverdue(websocket, 90_000)).toBe(false);
  expect(unfinished.isOverdue(websocket, 90_001)).toBe(true);
});
