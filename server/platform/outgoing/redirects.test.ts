import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import { allowing, listen, REFUSED } from './testing/listening.ts';

describe('Outgoing: redirects', () => {
  const redirectTo = (location: () => string, status = 302) =>
    listen((_, response) => response.writeHead(status, { location: location() }).end());

  it.each([301, 302, 303, 307, 308])('%i to an address that is not allowed is refused', async (status) => {
    let requests = 0;
    const inner = await listen((_, response) => response.end(String(++requests)));
    const port = await redirectTo(() => `http://127.0.0.1:${inner}/`, status);
    await expect(allowing(port).request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(REFUSED);
    expect(requests).toBe(0);
  });

  it.each(['file:///etc/passwd', 'http://[', 'http://user:password@push.example/', 'gopher://push.example/'])(
    'to %s is refused',
    async (location) => {
      const port = await redirectTo(() => location);
      await expect(allowing(port).request(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(REFUSED);
    },
  );

  it('three are followed, a fourth is not', async () => {
    const port = await listen((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const client = allowing(port);
    expect(String((await client.request(`http://127.0.0.1:${port}/3`)).body)).toBe('arrived');
    await expect(client.request(`http://127.0.0.1:${port}/4`)).rejects.toMatchObject({
      reason: 'too_many_redirects',
    });
  });

  it('another origin receives no secret of the first, even when it sends the request back', async () => {
    const seen: (string | undefined)[][] = [];
    const note: RequestListener = (request) =>
      seen.push([request.headers.authorization, request.headers.accept, request.headers.cookie]);
    let first = 0;
    const other = await listen((request, response) => {
      note(request, response);
      response.writeHead(302, { location: `http://127.0.0.1:${first}/back`, 'set-cookie': 'a=b' }).end();
    });
    first = await listen((request, response) => {
      note(request, response);
      if (request.url === '/back') response.end();
      else if (request.url === '/') response.writeHead(302, { location: '/same', 'set-cookie': 'a=b' }).end();
      else response.writeHead(302, { location: `http://127.0.0.1:${other}/` }).end();
    });
    const headers = { authorization: 'secret', accept: 'text/html' };
    await allowing(first, other).request(`http://127.0.0.1:${first}/`, { headers });
    expect(seen).toEqual([
      ['secret', 'text/html', undefined],
      ['secret', 'text/html', undefined],
      [undefined, 'text/html', undefined],
      [undefined, 'text/html', undefined],
    ]);
  });

  it('a POST is never redirected: its response is returned', async () => {
    const port = await redirectTo(() => '/elsewhere', 307);
    const response = await allowing(port).request(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: Buffer.from('x'),
    });
    expect(response.status).toBe(307);
  });
});
