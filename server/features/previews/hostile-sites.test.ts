/** Sites that want to harm whoever reads them: what they send has bounds, and is what its bytes are. */
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { listen, outgoing, portOf } from '../../platform/outgoing/testing/listening.ts';
import { Fetcher } from './fetcher.ts';

const PAGE = '<title>Inner</title><meta property="og:image" content="/inner.png">';
const NOTHING = { outcome: 'nothing' };
const fetcher = (allow: string[]) => new Fetcher(outgoing({ allow }));

afterEach(() => void vi.useRealTimers());

describe('a site', () => {
  const site = async (type: string, body: string | Buffer, headers: Record<string, string> = {}) => {
    const port = await listen((_, response) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body),
    );
    return { url: `http://127.0.0.1:${port}/`, subject: fetcher([`127.0.0.1:${port}`]) };
  };

  it.each([
    ['application/json', '{"title":"x"}'],
    ['text/plain', PAGE],
    ['text/xml', PAGE],
    ['application/pdf', '%PDF-1.7'],
    ['video/mp4', 'x'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['', PAGE],
    ['multipart/x-mixed-replace; boundary=x', `--x\r\ncontent-type: text/html\r\n\r\n${PAGE}`],
  ])('sends %s: it is neither page nor picture', async (type, body) => {
    const { url, subject } = await site(type, body);
    expect(await subject.page(url)).toEqual(NOTHING);
    if (!type.startsWith('image/png')) expect(await subject.picture(url)).toBeUndefined();
  });

  it('sends a page as a picture: it is bytes, whose kind the check of files decides', async () => {
    const { url, subject } = await site('image/png', PAGE);
    expect(await subject.page(url)).toMatchObject({
      outcome: 'picture',
      picture: { bytes: Buffer.from(PAGE) },
    });
  });

  it('sends a gigabyte in a megabyte: it is read up to a bound', async () => {
    const bomb = gzipSync(
      Buffer.concat([Buffer.from('<title>Bomb</title>'), Buffer.alloc(64 * 1024 * 1024, 32)]),
    );
    const { url, subject } = await site('text/html', bomb, { 'content-encoding': 'gzip' });
    expect(await subject.page(url)).toEqual({ outcome: 'page', page: { title: 'Bomb' } });
    const picture = await site('image/png', gzipSync(Buffer.alloc(64 * 1024 * 1024)), {
      'content-encoding': 'gzip',
    });
    expect(await picture.subject.picture(picture.url)).toBeUndefined();
  });

  it('compresses many times over: it is unpacked once', async () => {
    const twice = gzipSync(gzipSync(Buffer.from(PAGE)));
    const { url, subject } = await site('text/html', twice, { 'content-encoding': 'gzip, gzip' });
    expect(await subject.page(url)).toEqual(NOTHING);
  });

  it('sends a picture of more than 1 MiB, with and without saying so: it is not taken', async () => {
    for (const headers of [{}, { 'content-length': String(1024 * 1024 + 1) }]) {
      const { url, subject } = await site('image/png', Buffer.alloc(1024 * 1024 + 1), headers);
      expect(await subject.page(url)).toEqual(NOTHING);
      expect(await subject.picture(url)).toBeUndefined();
    }
  });

  it('never ends a page: its beginning is read, and the connection closed', async () => {
    let onEnd = () => {};
    const ended = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    const port = await listen((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Endless</title>');
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more).on('close', onEnd);
      more();
    });
    const fetched = await fetcher([`127.0.0.1:${port}`]).page(`http://127.0.0.1:${port}/`);
    expect(fetched).toEqual({ outcome: 'page', page: { title: 'Endless' } });
    await ended;
  });

  it.each([
    [
      'promises more than it sends',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 999\r\n\r\n<title>x',
    ],
    [
      'breaks its chunks',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.7\r\n'],
    ['sends headers without end', `HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(50)}`],
  ])('that %s is away', async (_, bytes) => {
    const port = await portOf(
      createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes))),
    );
    expect(await fetcher([`127.0.0.1:${port}`]).page(`http://127.0.0.1:${port}/`)).toEqual({
      outcome: 'away',
    });
  });

  it('sends less than it has: the rest is not read as another response', async () => {
    const bytes = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 19\r\n\r\n<title>One</title>\nHTTP/1.1 200 OK\r\n\r\n<title>Two</title>`;
    const port = await portOf(
      createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(bytes))),
    );
    const fetched = await fetcher([`127.0.0.1:${port}`]).page(`http://127.0.0.1:${port}/`);
    expect(fetched).toEqual({ outcome: 'page', page: { title: 'One' } });
  });

  it.each([
    ['says nothing', ''],
    [
      'sends a byte now and then',
      'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9999\r\n\r\n<title>',
    ],
  ])('that %s is given up after 5 s', async (_, bytes) => {
    let onBegin = () => {};
    const begun = new Promise<void>((resolve) => {
      onBegin = resolve;
    });
    const port = await portOf(
      createTcpServer((socket) =>
        socket.on('error', () => {}).once('data', () => socket.write(bytes || '\r\n', () => onBegin())),
      ),
    );
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetching = fetcher([`127.0.0.1:${port}`]).page(`http://127.0.0.1:${port}/`);
    await begun;
    vi.advanceTimersByTime(5000);
    expect(await fetching).toEqual({ outcome: 'away' });
  });

  it('that is busy is left alone for as long as it says, and others are not', async () => {
    let requests = 0;
    const busy = await listen((_, response) => {
      requests++;
      response.writeHead(429, { 'retry-after': '120' }).end();
    });
    const other = await listen((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Other</title>'),
    );
    const subject = fetcher([`127.0.0.1:${busy}`, `127.0.0.1:${other}`]);
    for (let round = 0; round < 3; round++)
      expect(await subject.page(`http://127.0.0.1:${busy}/${round}`)).toEqual({ outcome: 'away' });
    expect(requests).toBe(1);
    expect(await subject.page(`http://127.0.0.1:${other}/`)).toMatchObject({ outcome: 'page' });
  });

  it('cannot say for another one, which leads to it, that it is busy', async () => {
    const busy = await listen((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    const leading = await listen((request, response) => {
      if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${busy}/` }).end();
      else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Here</title>');
    });
    const subject = fetcher([`127.0.0.1:${busy}`, `127.0.0.1:${leading}`]);
    expect(await subject.page(`http://127.0.0.1:${leading}/away`)).toEqual({ outcome: 'away' });
    expect(await subject.page(`http://127.0.0.1:${leading}/`)).toMatchObject({ outcome: 'page' });
  });

  it('gets no more than two requests at once, whatever comes', async () => {
    let [atOnce, most] = [0, 0];
    const port = await listen((_, response) => {
      most = Math.max(most, ++atOnce);
      setTimeout(() => response.end(() => atOnce--), 10);
    });
    const subject = fetcher([`127.0.0.1:${port}`]);
    await Promise.all(Array.from({ length: 12 }, (_, at) => subject.page(`http://127.0.0.1:${port}/${at}`)));
    expect(most).toBe(2);
  });

  it('that sets a cookie or asks for a password gets neither back', async () => {
    const seen: (string | undefined)[][] = [];
    const port = await listen((request, response) => {
      seen.push([request.headers.cookie, request.headers.authorization, request.headers.referer]);
      const path = request.url === '/2' ? {} : { location: '/2' };
      response
        .writeHead(request.url === '/2' ? 401 : 302, {
          ...path,
          'set-cookie': 'a=b',
          'www-authenticate': 'Basic',
        })
        .end();
    });
    expect(await fetcher([`127.0.0.1:${port}`]).page(`http://127.0.0.1:${port}/`)).toEqual(NOTHING);
    expect(seen).toEqual([
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });
});
