import { once } from 'node:events';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { allowing, listen, outgoing, portOf } from './testing/listening.ts';

const MAX_BODY_BYTES = 512 * 1024;
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

afterEach(() => void vi.useRealTimers());

describe('Outgoing: bounds', () => {
  it('512 KiB of body are read, one byte more is too large, with and without a declared length', async () => {
    const port = await listen((request, response) => {
      const [, bytes, how] = request.url?.split('/') ?? [];
      if (how === 'sized') response.setHeader('content-length', String(bytes));
      response.write('x');
      response.end('x'.repeat(Number(bytes) - 1));
    });
    const client = allowing(port);
    for (const how of ['sized', 'chunked']) {
      const { body } = await client.request(`http://127.0.0.1:${port}/${MAX_BODY_BYTES}/${how}`);
      expect(body.length).toBe(MAX_BODY_BYTES);
      const tooLarge = client.request(`http://127.0.0.1:${port}/${MAX_BODY_BYTES + 1}/${how}`);
      await expect(tooLarge).rejects.toMatchObject({ reason: 'too_large' });
    }
  });

  it('where the beginning is enough, a longer body is cut at the bound, and one that fits is whole', async () => {
    const port = await listen((request, response) => {
      response.write('x');
      response.end('y'.repeat(Number(request.url?.slice(1)) - 1));
    });
    const client = allowing(port);
    const body = () => ({ maxBytes: 1000, cut: true });
    for (const [bytes, length, isCut] of [
      [999, 999, false],
      [1000, 1000, false],
      [1001, 1000, true],
      [1_000_000, 1000, true],
    ] as const) {
      const response = await client.request(`http://127.0.0.1:${port}/${bytes}`, {}, { body });
      expect([response.body.length, response.isCut]).toEqual([length, isCut]);
    }
  });

  it('the bounds may depend on what the response says; a body that nobody wants is not waited for', async () => {
    const port = await listen((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/film' }).end('x'.repeat(2000));
      else response.writeHead(200, { 'content-type': 'video/mp4' }).flushHeaders();
    });
    const seen: unknown[] = [];
    const url = `http://127.0.0.1:${port}`;
    const response = await allowing(port).request(
      `${url}/`,
      {},
      {
        body({ status, headers }) {
          seen.push([status, headers['content-type']]);
          return { maxBytes: 0, cut: true };
        },
      },
    );
    expect(seen).toEqual([
      [302, undefined],
      [200, 'video/mp4'],
    ]);
    expect(response).toMatchObject({ status: 200, isCut: true, url: `${url}/film` });
  });

  it('an endless body of which the beginning is wanted is cut, and its connection closed', async () => {
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const port = await listen((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more).on('close', ended);
      more();
    });
    const body = () => ({ maxBytes: 100_000, cut: true });
    const response = await allowing(port).request(`http://127.0.0.1:${port}/`, {}, { body });
    expect([response.body.length, response.isCut]).toEqual([100_000, true]);
    await end;
  });

  it('an endless body is cut off, and its connection closed', async () => {
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const port = await listen((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', more).on('close', ended);
      more();
    });
    await expect(allowing(port).request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: 'too_large',
    });
    await end;
  });

  it.each([
    ['empty lines before its response', '', '\r\n'],
    ['informational responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
    ['zeros before the length of a chunk', CHUNKED, '0'],
    ['a body in chunks of one byte', CHUNKED, '1\r\nx\r\n'],
  ])('%s, again and again, are cut off, and the connection closed', async (_, begin, piece) => {
    const server = createTcpServer((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write(piece.repeat(10_000)));
      };
      socket
        .on('error', () => {})
        .on('drain', more)
        .on('close', () => server.emit('gone'))
        .once('data', () => {
          socket.write(begin);
          more();
        });
    });
    const port = await portOf(server);
    const gone = once(server, 'gone');
    await expect(allowing(port).request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      reason: 'too_large',
    });
    await gone;
  });

  it('some informational responses, and a body in some chunks, are read', async () => {
    const bytes = `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(3)}${CHUNKED}${'2\r\nab\r\n'.repeat(1000)}0\r\n\r\n`;
    const server = createTcpServer((socket) =>
      socket.on('error', () => {}).once('data', () => socket.end(bytes)),
    );
    const port = await portOf(server);
    const { body } = await allowing(port).request(`http://127.0.0.1:${port}/`);
    expect(body.toString()).toBe('ab'.repeat(1000));
  });

  it.each([
    ['takes the connection and says nothing', undefined],
    ['never ends its headers', 'HTTP/1.1 200 OK\r\nx: y\r\n'],
    ['never ends its body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nx'],
    ['never ends its chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n'],
    ['sends informational responses only', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ])('after 5 s a server that %s is given up, and the connection closed', async (_, bytes) => {
    let onWritten = () => {};
    const written = new Promise<void>((resolve) => {
      onWritten = resolve;
    });
    const server = createTcpServer((socket) => {
      socket
        .on('error', () => {})
        .once('data', () => {
          if (bytes === undefined) onWritten();
          else socket.write(bytes, onWritten);
        });
      socket.on('close', () => server.emit('gone'));
    });
    const port = await portOf(server);
    const gone = once(server, 'gone');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let isSettled = false;
    const request = allowing(port).request(`http://127.0.0.1:${port}/`);
    request
      .catch(() => {})
      .finally(() => {
        isSettled = true;
      });
    await written;
    vi.advanceTimersByTime(4999);
    await new Promise(setImmediate);
    expect(isSettled).toBe(false);
    vi.advanceTimersByTime(1);
    await expect(request).rejects.toMatchObject({ reason: 'timeout' });
    await gone;
  });

  it('a lookup that never ends is given up after 5 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const request = outgoing({ resolve: () => new Promise(() => {}) }).request('https://push.example/');
    const failed = expect(request).rejects.toMatchObject({ reason: 'timeout' });
    vi.advanceTimersByTime(5000);
    await failed;
  });

  it('a host gets two requests at once: capitals in its name make no difference, and redirects count', async () => {
    let atOnce = 0;
    let most = 0;
    const slow = await listen((_, response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => response.end(() => atOnce--), 20);
    });
    const allow = ['one.example', 'ONE.example.', 'two.example'].map((name) => `${name}:${slow}`);
    const redirecting = await listen((_, response) =>
      response.writeHead(302, { location: `http://one.example:${slow}/` }).end(),
    );
    const client = outgoing({
      allow: [...allow, ...['a', 'b', 'c'].map((name) => `${name}.example:${redirecting}`)],
      resolve: async () => ['127.0.0.1'],
    });
    const urls = [`one.example:${slow}`, `one.example.:${slow}`].concat(
      ['a', 'b', 'c'].map((name) => `${name}.example:${redirecting}`),
    );
    await Promise.all([...urls, ...urls].map((host) => client.request(`http://${host}/`)));
    expect(most).toBe(2);
  });

  it('a request that is given as a function is made when its turn has come', async () => {
    let [made, mostWaiting, received] = [0, 0, 0];
    const port = await listen((_, response) => {
      mostWaiting = Math.max(mostWaiting, made - received);
      received++;
      response.end();
    });
    const client = allowing(port);
    const make = () => {
      made++;
      return { headers: { accept: 'text/html' } };
    };
    await Promise.all(Array.from({ length: 20 }, () => client.request(`http://127.0.0.1:${port}/`, make)));
    expect({ made, received }).toEqual({ made: 20, received: 20 });
    expect(mostWaiting).toBeLessThanOrEqual(2);
  });

  it('a stop ends what runs and what waits, and refuses the rest', async () => {
    const port = await listen(() => {});
    const client = allowing(port);
    const requests = Array.from({ length: 5 }, () => client.request(`http://127.0.0.1:${port}/`));
    const outcomes = Promise.allSettled(requests);
    client.stop();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { reason: 'stopped' } });
    await expect(client.request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ reason: 'stopped' });
  });
});
