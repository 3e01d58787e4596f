import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal, expectRetryAfter } from '../support/expect-reply.ts';
import { type RequestOptions, send, sendRaw } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { offering, upgrade } from '../support/upgrade.ts';
import { createRoom, issueTicket, signUp } from '../support/users.ts';

/** Many requests in one write, so that they are counted at one moment; the statuses in order. */
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
    // The burst is the default. The refill is too slow to add a token during a test, even on a busy machine.
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

  test('methods share one count, and a refused request counts, too', async () => {
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

  test.each(['GET', 'PUT'])(
    'paths whose id is no id share one, and it is theirs alone: %s',
    async (method) => {
      const localAddress = method === 'GET' ? '127.0.0.3' : '127.0.0.4';
      const ask = (id: string) => send(server, `/api/v1/rooms/${id}/messages`, { method, localAddress });
      const junk = ['x', '0', '-1', '1.5', '1e9', '%20', '9007199254740992', 'a%2fb', '%d9%a3'];
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          ask(`${junk[index % junk.length]}${index > 30 ? `-${index}` : ''}`),
        ),
      );
      expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThanOrEqual(15);
      expectRefusal(await ask('another'), 429, 'too many requests');
      expect((await ask('1')).status).not.toBe(429);
    },
  );

  test('all codes of invitations share one, so that trying many is no faster than trying one', async () => {
    const localAddress = '127.0.0.5';
    const find = (code: string) => send(server, `/api/v1/invites/${code}`, { localAddress });
    const codes = Array.from({ length: 60 }, (_, index) => String(index).padStart(22, 'A'));
    const replies = await Promise.all(codes.map(find));
    expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThanOrEqual(15);
    expectRefusal(await find('B'.repeat(22)), 429, 'too many requests');
    expect((await send(server, '/version', { localAddress })).status).toBe(200);
  });

  test('upgrades are requests too', async () => {
    await pipeline(server, repeat('/ws', 45));
    expectRefusal(await send(server, '/ws'), 429, 'too many requests');
  });

  describe('forwarded headers count only from TRUST_PROXY peers', () => {
    const viaProxy = (forwarded: string) =>
      send(server, '/ready', { localAddress: '127.0.0.9', headers: { 'x-forwarded-for': forwarded } });

    test('behind a trusted proxy each client has a count of its own', async () => {
      await Promise.all(repeat('', 60).map(() => viaProxy('198.51.100.1')));
      expect((await viaProxy('198.51.100.1')).status).toBe(429);
      expect((await viaProxy('198.51.100.2')).status).toBe(200);
      // What the client itself put before its address is ignored.
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

    test('from any other peer the header is ignored, with one warning that names the setting', async () => {
      const direct = (forwarded: string) =>
        send(server, '/api/v1/ws/tickets', { headers: { 'x-forwarded-for': forwarded } });
      const replies = await Promise.all(
        Array.from({ length: 60 }, (_, index) => direct(`198.51.100.${index}`)),
      );
      expect(replies.filter((reply) => reply.status === 429).length).toBeGreaterThanOrEqual(15);
      const warnings = await server.logged((line) => JSON.stringify(line).includes('TRUST_PROXY'));
      expect(warnings).toHaveLength(1);
    });
  });
});

describe('as it comes out of the box', () => {
  test('60 in one moment: 40 pass, the rest is refused', async () => {
    await using server = await ServerProcess.start({ env: { RATE_LIMIT_PER_SECOND: '20' } });
    const statuses = await pipeline(server, repeat('/version', 60));
    expect(statuses).toHaveLength(60);
    // A token comes every 50 ms; the requests of one write are counted faster than that, or get a few tokens more.
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(40);
    expect(count(statuses, 200)).toBeLessThanOrEqual(50);
  });

  test('RATE_LIMIT_EXEMPT: these addresses have no limit of requests and of sockets, others do', async () => {
    await using server = await ServerProcess.start({
      env: {
        RATE_LIMIT_PER_SECOND: '1',
        RATE_LIMIT_EXEMPT: '192.0.2.1, 2001:db8:1::/48, 127.0.0.0/29',
        SOCKETS_PER_ADDRESS: '1',
        TRUST_PROXY: '127.0.0.9',
      },
    });
    const from = (client: string) =>
      Promise.all(
        repeat('/version', 60).map((path) =>
          send(server, path, { localAddress: '127.0.0.9', headers: { 'x-forwarded-for': client } }),
        ),
      );
    const refused = async (client: string) =>
      (await from(client)).filter(({ status }) => status === 429).length;
    expect(await refused('192.0.2.1')).toBe(0);
    expect(await refused('2001:db8:1:2::3')).toBe(0);
    expect(await refused('192.0.2.2')).toBeGreaterThanOrEqual(15);
    expect(await refused('2001:db8:2::1')).toBeGreaterThanOrEqual(15);

    const ann = await signUp(server);
    const room = await createRoom(server, ann);
    const open = async () =>
      upgrade(server, '/ws', { protocols: offering(await issueTicket(server, ann, room.id)) });
    const replies = [await open(), await open(), await open()];
    for (const { socket } of replies) socket?.destroy();
    expect(replies.map((reply) => reply.status)).toEqual([101, 101, 101]);
  });

  test('0 turns the limit off', async () => {
    await using server = await ServerProcess.start({
      env: { RATE_LIMIT_PER_SECOND: '20', RATE_LIMIT_BURST: '0' },
    });
    expect(count(await pipeline(server, repeat('/version', 200)), 200)).toBe(200);
  });
});
