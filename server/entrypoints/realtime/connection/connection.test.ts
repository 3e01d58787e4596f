import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { CLOSE } from '../../../../protocol/constants.ts';
import { createLogger } from '../../../platform/log.ts';
import { Outlet } from '../fanout/outlet.ts';
import { lineWire } from '../wire/v2.ts';
import { BudgetBook } from './budgets.ts';
import { Connection } from './connection.ts';
import { ServerWebSocket } from './server-web-socket.ts';

const KIB = 1024;
/** Megabytes go through a socket, on a machine that may be busy. */
const LONG = { timeout: 15_000 };
const [TEXT, BINARY, CLOSING] = [1, 2, 8];

class Plain extends Connection {
  readonly wire = lineWire;
  begin(): void {}
  send(): void {}
  closed(): void {}
  protected receive(): void {}
  protected ticked(): void {}
}

let server: Server;
/** The client's end, and the server's. */
let far: Socket;
let socket: Socket;
let connection: Plain;
beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A hostile client sends on after the server's end.
  far = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
  const head = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Host: x'];
  const key = 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==';
  far.write(`GET / HTTP/1.1\r\n${[...head, key].join('\r\n')}\r\n\r\n`);
  const [request, end, rest] = (await once(server, 'upgrade')) as [IncomingMessage, Socket, Buffer];
  socket = end;
  new WebSocketServer({ noServer: true, WebSocket: ServerWebSocket, maxPayload: 64 * KIB }).handleUpgrade(
    request,
    socket,
    rest,
    (websocket) => {
      const user = { userId: 1, username: 'ann', sessionId: 1 };
      const budgets = new BudgetBook(undefined).open(1);
      const accepted = { websocket, socket, user, admittedAt: 0, addressKey: undefined, budgets };
      connection = new Plain(accepted, { hub: { outlet: new Outlet() }, log: createLogger('silent') });
    },
  );
  far.on('error', () => {}).resume();
});
afterEach(() => {
  far.destroy();
  connection.terminate();
  server.close();
});

/** A masked frame whose mask is zero. */
function frame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const lengths = length < 126 ? [length] : [126, length >> 8, length & 0xff];
  const [first = 0, ...more] = lengths;
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | first, ...more, 0, 0, 0, 0]), payload]);
}

test.each([
  ['a binary frame', CLOSE.binary],
  ['abuse', CLOSE.abuse],
  ['a restart', CLOSE.restart],
])('of a flood that goes on after the close for %s, little is read', async (_, code) => {
  const flood = frame(code === CLOSE.binary ? BINARY : TEXT, Buffer.alloc(KIB));
  if (code !== CLOSE.binary) connection.close(code);
  far.write(Buffer.concat(Array.from({ length: 16 * KIB }, () => flood)));
  await expect.poll(() => socket.isPaused(), LONG).toBe(true);
  expect(connection.isOpen()).toBe(false);
  // What was read with the frame that led to the close, what is allowed, and a piece that was on its way.
  expect(socket.bytesRead).toBeLessThan(4 * 64 * KIB);
});

test.each([
  ['a fault in the protocol', frame(3, Buffer.alloc(KIB))],
  ["the client's own close frame", frame(CLOSING, Buffer.from([1000 >> 8, 1000 & 0xff]))],
])('a flood that goes on after %s ends the socket', async (_, first) => {
  const closed = new Promise((resolve) => connection.onClosed(resolve));
  far.write(
    Buffer.concat([first, ...Array.from({ length: 16 * KIB }, () => frame(TEXT, Buffer.alloc(KIB)))]),
  );
  await closed;
  expect(socket.destroyed).toBe(true);
  expect(socket.bytesRead).toBeLessThan(4 * 64 * KIB);
});

test.each([
  ['a fault in the protocol', frame(3, Buffer.alloc(KIB))],
  ['its close frame', frame(CLOSING, Buffer.alloc(0))],
])('a client that keeps its end open after %s is ended by the server', LONG, async (_, last) => {
  const closed = new Promise((resolve) => connection.onClosed(resolve));
  far.write(last);
  await closed;
  expect(socket.destroyed).toBe(true);
});

test('a client that sends a text that is far too long gets 1009: all of it is read', async () => {
  let heard = Buffer.alloc(0);
  far.on('data', (bytes: Buffer) => {
    heard = Buffer.concat([heard, bytes]);
  });
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x0f, 0, 0, 0, 0, 0, 0]);
  far.write(Buffer.concat([head, Buffer.alloc(960 * KIB)]));
  const closing = Buffer.from([0x88, 2, 1009 >> 8, 1009 & 0xff]);
  await expect.poll(() => heard.includes(closing), LONG).toBe(true);
  await expect.poll(() => socket.bytesRead, LONG).toBeGreaterThan(960 * KIB);
});

test('a client that was sending a frame when the server closed completes the close', async () => {
  const closed = new Promise((resolve) => connection.onClosed(resolve));
  connection.close(CLOSE.restart);
  const code = Buffer.from([CLOSE.restart >> 8, CLOSE.restart & 0xff]);
  far.write(Buffer.concat([frame(TEXT, Buffer.alloc(60 * KIB)), frame(CLOSING, code)]));
  expect(await closed).toBe(CLOSE.restart);
});
