import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { RequestOrder } from './request-order.ts';

test('a request that is parsed after its connection has ended is not handled', async () => {
  const order = new RequestOrder();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  const arrived = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const [request, response] = await arrived;
  const handled: string[] = [];
  request.socket.destroy();
  order.handleInOrder(request, response, () => handled.push('after the end'));
  expect(handled).toEqual([]);
  expect(order.isBusy(request.socket)).toBe(false);
  server.close();
});
