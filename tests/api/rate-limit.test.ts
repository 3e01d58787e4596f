import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, expectRetryAfter } from '../support/expect-reply.ts';
import { type RequestOptions, send, sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';

/** Many requests in one write, so that they are judged within one moment; the statuses in order. */
async function pipeline(server: ServerProcess, targets: string[], headers = ''): Promise<number[]> {
  const requests = targets.map((target, index) => {
    const last = index === targets.length - 1 ? 'Connection: close\r\n' : '';
    return `GET ${target} HTTP/1.1\r\nHost: ${server.host}\r\n${headers}${last}\r\n`;
  });
  const { text } = await sendRaw(server, requests.join(''));
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}

const repeat = (target: string, count: number) => Array.from({ length: count }, () => target);
const count = (statuses: number[], status: number) => statuses.filter((each) => each === status).length;

describe('the rate limit: 20 a second, burst 40, per client IP and path', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    // The burst is the default; so slow a refill that a busy machine cannot add a token in the middle of a test.
    server = await ServerProcess.start({ env: { RATE_LIMIT_PER_SECOND: '1', TRUST_PROXY: '127.0.0.9' } });
  });
  afterAll(async () => await server?.dispose());

  test('41 at once: 40 pass, one 429; other paths and other addresses are free', async () => {
    const statuses = await pipeline(server, repeat('/version', 41));
    expect(count(statuses, 200)).toBe(40);
    expect(count(statuses, 429)).toBe(1);

    const refused = await send(server, '/version');
    expectRefusal(refused, 429, 'too many requests');
    expectRetryAfter(refused);
    expect((await send(server, '/healthz')).status).toBe(200);
    expect((await send(server, '/version', { localAddress: '127.0.0.2' })).status).toBe(200);
  });

  test('query strings and path spellings share one count', async () => {
    const spellings = ['/health', '/health?x=1', '/health?y', '/%68ealth', '/health#x'];
    const targets = Array.from({ length: 41 }, (_, index) => spellings[index % spellings.length] ?? '');
    const statuses = await pipeline(server, targets);
    expect(statuses).toHaveLength(41);
    expect(count(statuses, 429)).toBe(1);
  });

  test('methods share one count, and a request is counted before it is judged', async () => {
    const reply = (options: RequestOptions) => send(server, '/api/v1/rooms', options);
    const methods = ['GET', 'POST', 'PUT', 'DELETE'];
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => reply({ method: methods[index % 4] ?? 'GET' })),
    );
    // 401 and 405 use up the budget as successes do.
    const refused = replies.filter((each) => each.status === 429).length;
    expect(refused).toBeGreaterThanOrEqual(15);
    expect(refused).toBeLessThanOrEqual(20);
    expectRefusal(await reply({ method: 'PUT' }), 429, 'too many requests');
  });

  test('ids are part of the path', async () => {
    await pipeline(server, repeat('/api/v1/rooms/1/messages', 45));
    expect((await send(server, '/api/v1/rooms/1/messages')).status).toBe(429);
    expect((await send(server, '/api/v1/rooms/2/messages')).status).toBe(401);
  });

  test('paths that match no route share one', async () => {
    const targets = Array.from({ length: 41 }, (_, index) => `/api/v1/nowhere/${index}`);
    const statuses = await pipeline(server, targets);
    expect(count(statuses, 404)).toBe(40);
    expect(count(statuses, 429)).toBe(1);
    expect((await send(server, '/api/v1/something-else')).status).toBe(429);
  });

  test('upgrades are requests too', async () => {
    await pipeline(server, repeat('/ws', 45));
    expectRefusal(await send(server, '/ws'), 429, 'too many requests');
  });

  describe('forwarded headers count only from TRUST_PROXY peers', () => {
    const viaProxy = (forwarded: string) =>
      send(server, '/ready', { localAddress: '127.0.0.9', headers: { 'x-forwarded-for': forwarded } });

    test('behind a trusted proxy each client has a count of its own', async () => {
      for (let sent = 0; sent < 41; sent++) await viaProxy('198.51.100.1');
      await Promise.all(repeat('', 10).map(() => viaProxy('198.51.100.1')));
      expect((await viaProxy('198.51.100.1')).status).toBe(429);
      expect((await viaProxy('198.51.100.2')).status).toBe(200);
      // What the client itself wrote in front of its address counts for nothing.
      expect((await viaProxy('203.0.113.7, 198.51.100.1')).status).toBe(429);
      // IPv4-mapped addresses are IPv4.
      expect((await viaProxy('::ffff:198.51.100.1')).status).toBe(429);
    });

    test('IPv6 counts by /64', async () => {
      await Promise.all(
        Array.from({ length: 60 }, (_, index) => viaProxy(`2001:db8:0:1::${(index + 1).toString(16)}`)),
      );
      expect((await viaProxy('2001:db8:0:1:ffff::1')).status).toBe(429);
      expect((await viaProxy('2001:db8:0:2::1')).status).toBe(200);
    });

    test('from anybody else the header is ignored, with one warning that says what to set', async () => {
      const direct = (forwarded: string) =>
        send(server, '/api/v1/ws/tickets', { headers: { 'x-forwarded-for': forwarded } });
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, index) => direct(`198.51.100.${index}`)),
      );
      expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThanOrEqual(15);
      const warnings = server.logs.filter((line) => JSON.stringify(line).includes('TRUST_PROXY'));
      expect(warnings).toHaveLength(1);
    });
  });
});

describe('as it comes out of the box', () => {
  test('60 in one moment: 40 pass, the rest is refused', async () => {
    await using server = await ServerProcess.start({ env: { RATE_LIMIT_PER_SECOND: '20' } });
    const statuses = await pipeline(server, repeat('/version', 60));
    expect(statuses).toHaveLength(60);
    // A token comes every 50 ms; the requests of one write are judged faster than that, or a few tokens later.
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(40);
    expect(count(statuses, 200)).toBeLessThanOrEqual(50);
  });

  test('0 turns the limit off', async () => {
    await using server = await ServerProcess.start({
      env: { RATE_LIMIT_PER_SECOND: '20', RATE_LIMIT_BURST: '0' },
    });
    expect(count(await pipeline(server, repeat('/version', 200)), 200)).toBe(200);
  });
});
