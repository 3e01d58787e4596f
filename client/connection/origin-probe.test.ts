import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { FakeServer } from '../testing/fake-server.ts';
import { lineStage } from '../testing/line-stage.ts';
import { soon } from '../testing/room-stage.ts';
import { isOriginRefused } from './origin-probe.ts';

const json = (body: unknown, status: number) => new Response(JSON.stringify(body), { status });

describe('the probe of the origin', () => {
  const probe = (respond: () => Response) => {
    const asked: string[] = [];
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url));
      return respond();
    };
    return { asked, result: isOriginRefused({ baseUrl: 'http://chat.test', fetch }, 'https://a.test:8443') };
  };

  test.each([
    ['403 origin not allowed', json({ error: 'origin not allowed' }, 403), true],
    ['426 upgrade required', json({ error: 'upgrade required' }, 426), false],
    ['429', json({ error: 'too many requests' }, 429), null],
    ['the 403 of a proxy', new Response('<html>', { status: 403 }), null],
    ['the page of a proxy', new Response('<html>'), null],
  ])('%s', async (_title, response, expected) => {
    const { asked, result } = probe(() => response);
    expect(await result).toBe(expected);
    expect(asked).toEqual(['http://chat.test/ws?origin=https%3A%2F%2Fa.test%3A8443']);
  });

  test('no response', async () => {
    const { result } = probe(() => {
      throw new TypeError('fetch failed');
    });
    expect(await result).toBeNull();
  });
});

describe('a server that refuses the origin', () => {
  let server: FakeServer;

  beforeEach(async () => {
    server = await FakeServer.start();
    server.admits = false;
  });

  afterEach(() => server.stop());

  /** The states after this many failed handshakes, as `status reason`. */
  async function statesAfter(handshakes: number, results: readonly (boolean | null)[]) {
    let probes = 0;
    const stage = lineStage({ at: server.url, probeOrigin: async () => results[probes++] ?? null });
    const { line, states, nextDelay, reached } = stage;
    line.start();
    for (let i = 1; i < handshakes; i++) await nextDelay();
    await reached('waiting');
    const seen = () =>
      states.map((state) => [state.status, 'reason' in state ? state.reason : ''].join(' ').trim());
    return { ...stage, seen, probes: () => probes };
  }

  test('a failed handshake is explained, and the reason stays until a handshake succeeds', async () => {
    const { line, clock, seen, reached } = await statesAfter(2, [true]);
    expect(seen()).toEqual([
      'connecting',
      'waiting',
      'waiting origin',
      'connecting origin',
      'waiting origin',
    ]);
    server.admits = true;
    clock.advance(clock.nextInMs ?? 0);
    await reached('open');
    expect(seen().slice(-2)).toEqual(['connecting origin', 'open']);
    line.stop();
  });

  test('an accepted origin and a missing response give no reason', async () => {
    for (const result of [false, null]) {
      const { line, seen } = await statesAfter(2, [result]);
      expect(seen()).toEqual(['connecting', 'waiting', 'connecting', 'waiting']);
      line.stop();
    }
  });

  test('the server is probed once a minute at most', async () => {
    const { line, probes } = await statesAfter(6, []);
    expect(probes()).toBe(1);
    line.stop();
  });

  test('a server that is away has no reason', async () => {
    let isAway = false;
    const { line, clock, reached } = lineStage({
      at: server.url,
      probeOrigin: async () => true,
      ticket: async () => {
        if (isAway) throw new ApiError(0, 'no response');
        return 'abc';
      },
    });
    line.start();
    await reached('waiting');
    await soon(() => 'reason' in line.state && line.state.reason !== undefined);
    expect(line.state).toMatchObject({ status: 'waiting', reason: 'origin' });
    isAway = true;
    clock.advance(1000);
    await reached('waiting');
    expect(line.state).toEqual({ status: 'waiting', retryAt: expect.any(Number) });
    line.stop();
  });
});
