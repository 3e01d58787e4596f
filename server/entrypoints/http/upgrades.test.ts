import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestOrder } from '../../platform/net/request-order.ts';
import { serveUpgrades } from './upgrades.ts';

const HANDSHAKE = 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

let app: FastifyInstance;
let opening: Promise<void>;
let opened: Socket[];
let client: Socket;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const order = new RequestOrder();
  app = fastify({
    serverFactory: (handle) =>
      createServer((request, response) => order.handleInOrder(request, response, handle)),
  });
  // The real server keeps a listener on every connection.
  app.server.on('connection', (socket) => socket.on('error', () => undefined));
  app.get('/endless', () => new Promise(() => {}));
  opening = new Promise(() => {});
  opened = [];
  serveUpgrades(app, order, {
    clientAddressOf: () => '192.0.2.1',
    openWebSocket(_request, socket) {
      opened.push(socket);
      return opening;
    },
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  client = connect((app.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
});
afterEach(async () => {
  vi.useRealTimers();
  client.destroy();
  for (const socket of opened) socket.destroy();
  await app.close();
});

/** Sends the bytes, and waits until the server has their upgrade. */
async function arrives(bytes: string): Promise<void> {
  const arrived = once(app.server, 'upgrade');
  client.write(bytes);
  await arrived;
}

test('an upgrade that waits behind a response has 20 s from its arrival, then its connection is closed', async () => {
  await arrives(`GET /endless HTTP/1.1\r\nHost: x\r\n\r\n${HANDSHAKE}`);
  const closed = once(client.resume(), 'close');
  vi.advanceTimersByTime(19_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  await closed;
  expect(opened).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('an upgrade that is still being checked after 20 s is closed, too', async () => {
  await arrives(HANDSHAKE);
  const closed = once(client.resume(), 'close');
  vi.advanceTimersByTime(20_000);
  await closed;
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});

test('an open WebSocket has no deadline', async () => {
  opening = Promise.resolve();
  await arrives(HANDSHAKE);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  vi.advanceTimersByTime(60_000);
  expect(opened.map(({ destroyed }) => destroyed)).toEqual([false]);
});

test('a connection that dies while its upgrade waits leaves no timer', async () => {
  await arrives(`GET /endless HTTP/1.1\r\nHost: x\r\n\r\n${HANDSHAKE}`);
  client.resetAndDestroy();
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
});
