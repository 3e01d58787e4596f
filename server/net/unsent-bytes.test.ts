import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { registerUnsentBytesLimit } from './unsent-bytes.ts';

/** 16 of these are what an address may leave unread. */
const PAGE = 'x'.repeat(1024 * 1024);

test('a response whose client disconnected before it was ready is not counted', async () => {
  const app = fastify();
  registerUnsentBytesLimit(app, () => '192.0.2.1');
  app.get('/', () => PAGE);
  app.get('/late', async (_, reply) => {
    await once(reply.raw, 'close');
    return PAGE;
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    const { port } = app.server.address() as AddressInfo;
    for (let count = 0; count < 20; count++) {
      const socket = connect(port, '127.0.0.1');
      const arrived = once(app.server, 'request');
      socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
      const [, response] = await arrived;
      const closed = once(response, 'close');
      socket.resetAndDestroy();
      await closed;
    }
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  } finally {
    await app.close();
  }
});
