import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endLingering } from './lingering-close.ts';

const LIMITS = { ms: 5000, bytes: 1024 ** 2 };
const RESPONSE = 'the last response';

let client: Socket;
let socket: Socket;
let release: () => void;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  client = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
  [socket] = await accepted;
  socket.on('error', () => undefined);
  release = () => {
    for (const each of [client, socket]) each.destroy();
    server.close();
  };
});
afterEach(() => {
  release();
  vi.useRealTimers();
});

/** Ends the server's side, and waits until the client has everything. `closed`: whether an error closed the socket. */
async function endServerSide(): Promise<{ closed: Promise<boolean> }> {
  const closed = new Promise<boolean>((resolve) => socket.once('close', resolve));
  endLingering(socket, RESPONSE, LIMITS);
  let text = '';
  client.on('data', (part) => {
    text += String(part);
  });
  await once(client, 'end');
  expect(text).toBe(RESPONSE);
  return { closed };
}

test('what the peer sends after the last response is read and dropped until the peer closes', async () => {
  const { closed } = await endServerSide();
  client.end(Buffer.alloc(LIMITS.bytes));
  expect(await closed).toBe(false);
  expect(socket.bytesRead).toBe(LIMITS.bytes);
  expect(vi.getTimerCount()).toBe(0);
});

test('a peer that neither closes nor stops sending is cut off at the deadline', async () => {
  const { closed } = await endServerSide();
  client.write('more');
  await once(socket, 'data');
  vi.advanceTimersByTime(LIMITS.ms - 1);
  expect(socket.destroyed).toBe(false);
  client.write('and more');
  vi.advanceTimersByTime(1);
  await closed;
});

test('beyond the limit of bytes nothing more is read, and the deadline closes the connection', async () => {
  const { closed } = await endServerSide();
  // More than the buffers of the system hold.
  client.write(Buffer.alloc(64 * LIMITS.bytes));
  await vi.waitFor(() => expect(socket.isPaused()).toBe(true));
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(LIMITS.ms);
  await closed;
  expect(socket.bytesRead).toBeLessThan(2 * LIMITS.bytes);
});

test('a peer that resets the connection leaves no timer', async () => {
  const { closed } = await endServerSide();
  expect(vi.getTimerCount()).toBe(1);
  client.resetAndDestroy();
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});

test('a peer that reads nothing is cut off at the deadline, although the response was never written', async () => {
  client.pause();
  // More than the buffers of the system hold.
  socket.write(Buffer.alloc(64 * LIMITS.bytes));
  const closed = once(socket, 'close');
  endLingering(socket, RESPONSE, LIMITS);
  expect(socket.writableFinished).toBe(false);
  vi.advanceTimersByTime(LIMITS.ms);
  await closed;
  expect(vi.getTimerCount()).toBe(0);
});
