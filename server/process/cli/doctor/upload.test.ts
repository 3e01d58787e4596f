import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { checkUpload } from './upload.ts';

const REFUSAL = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

test('a proxy that refuses a request while its bytes come is reported', { timeout: 20_000 }, async () => {
  const proxy = createServer((socket) => {
    socket.on('error', () => undefined);
    let taken = 0;
    let isRefused = false;
    socket.on('data', (chunk) => {
      taken += chunk.length;
      // What was sent at once has come, and more of it.
      if (taken < 200_000 || isRefused) return;
      isRefused = true;
      // The rest waits in the client, until the refusal is there.
      socket.pause();
      setTimeout(() => socket.write(REFUSAL), 100);
      setTimeout(() => socket.resume(), 200);
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const check = await checkUpload(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  proxy.close();
  expect(check).toMatchObject({ verdict: 'problem', told: expect.stringContaining('are answered with 413') });
});
