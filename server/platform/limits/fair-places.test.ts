import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FairPlaces, type Place } from './fair-places.ts';

const MIB = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

interface Request {
  who: string;
  place: Place | undefined;
  error: unknown;
  /** The client goes away. */
  goAway(): void;
}

/** Asks for a place; what comes of it is in the result. */
function begin(
  places: FairPlaces,
  who: string,
  { address = '192.0.2.1', isExempt = false }: { address?: string; isExempt?: boolean } = {},
): Request {
  const request: Request = { who, place: undefined, error: undefined, goAway: () => undefined };
  const onGone = (leave: () => void) => {
    request.goAway = leave;
  };
  void (async () => {
    try {
      request.place = await places.enter({ who, address, isExempt }, onGone);
    } catch (error) {
      request.error = error;
    }
  })();
  return request;
}

async function ask(...of: Parameters<typeof begin>): Promise<Request> {
  const request = begin(...of);
  await settle();
  return request;
}

async function askTimes(places: FairPlaces, count: number, who: string, of = {}): Promise<Request[]> {
  const requests = Array.from({ length: count }, () => begin(places, who, of));
  await settle();
  return requests;
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

async function answer(request: Request | undefined, bytes = 0): Promise<void> {
  request?.place?.leave(bytes);
  request?.place?.end();
  await settle();
}

const atWork = (requests: Request[]) => requests.filter(({ place }) => place !== undefined).length;

test('a user has 6 requests at work at a time, and others begin at once meanwhile', async () => {
  const places = new FairPlaces();
  const own = await askTimes(places, 150, 'ann');
  expect(atWork(own)).toBe(6);
  expect((await ask(places, 'bob')).place).toBeDefined();
  await answer(own[0]);
  expect(atWork(own)).toBe(7);
});

test('an address has 12 of the 16 places, so that others are served', async () => {
  const places = new FairPlaces();
  const office: Request[] = [];
  for (let user = 0; user < 150; user++) office.push(await ask(places, `user ${user}`));
  expect(atWork(office)).toBe(12);
  expect((await ask(places, 'elsewhere', { address: '198.51.100.1' })).place).toBeDefined();
});

test('an office of 150 users behind one address: each reads a page of 1 MiB, and nobody is refused', async () => {
  const places = new FairPlaces();
  const office: Request[] = [];
  for (let user = 0; user < 150; user++) office.push(await ask(places, `user ${user}`));
  for (const request of office) await answer(request, MIB);
  expect(office.filter(({ place }) => !place)).toEqual([]);
});

test('users take turns, however many requests each of them has', async () => {
  const places = new FairPlaces();
  const first = await askTimes(places, 16, 'x', { isExempt: true });
  const busy = [first];
  for (const who of ['y', 'z']) busy.push(await askTimes(places, 6, who, { address: '198.51.100.1' }));
  const many = await askTimes(places, 20, 'ann', { address: '203.0.113.1' });
  const [one] = await askTimes(places, 1, 'bob', { address: '203.0.113.1' });
  for (const request of [...busy.flat()]) await answer(request);
  expect(one?.place).toBeDefined();
  expect(atWork(many)).toBe(6);
});

describe('bytes', () => {
  /** Reads until the next page waits; returns the pages. */
  async function readAll(places: FairPlaces, of = {}): Promise<number> {
    for (let pages = 0; pages < 200; pages++) {
      const request = await ask(places, 'ann', of);
      if (!request.place) request.goAway();
      if (!request.place) return pages;
      await answer(request, MIB);
    }
    return 200;
  }

  test('a user reads 8 MiB at once and then 4 MiB a second', async () => {
    const places = new FairPlaces();
    const pages = await readAll(places);
    expect(pages).toBeGreaterThanOrEqual(8);
    expect(pages).toBeLessThan(12);
    const next = await askTimes(places, 8, 'ann');
    for (let half = 0; half < 8; half++) {
      await vi.advanceTimersByTimeAsync(250);
      for (const request of next) await answer(request, MIB);
    }
    expect(atWork(next)).toBeGreaterThanOrEqual(5);
    expect((await ask(places, 'bob')).place).toBeDefined();
  });

  test('an address without limits is not counted', async () => {
    expect(await readAll(new FairPlaces(), { isExempt: true })).toBe(200);
  });

  test('what a user does not read holds back that user at 8 MiB, and nobody else behind the address', async () => {
    const places = new FairPlaces();
    const unread: Request[] = [];
    for (let page = 0; page < 10; page++) {
      const request = await ask(places, 'ann');
      request.place?.leave(MIB);
      await settle();
      unread.push(request);
    }
    expect(atWork(unread)).toBe(8);
    expect((await ask(places, 'bob')).place).toBeDefined();
    unread[0]?.place?.end();
    await settle();
    expect(atWork(unread)).toBeGreaterThan(8);
  });

  test('an answer that ended before it was made is not counted as unread', async () => {
    const places = new FairPlaces();
    for (let page = 0; page < 15; page++) {
      const { place } = await ask(places, 'ann');
      place?.end();
      place?.leave(MIB);
      // At the rate that a user may read.
      await vi.advanceTimersByTimeAsync(250);
    }
    expect((await ask(places, 'ann')).place).toBeDefined();
  });
});

test('a request whose turn does not come within 10 s is refused, and says when to come again', async () => {
  const places = new FairPlaces();
  const own = await askTimes(places, 8, 'ann');
  await vi.advanceTimersByTimeAsync(9999);
  expect(own.filter(({ error }) => error)).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(own.filter(({ error }) => error)).toHaveLength(2);
  expect(own.at(-1)?.error).toMatchObject({ code: 'too_many_requests', retryAfterMs: 1000 });
});

test('a request whose client has gone never begins', async () => {
  const places = new FairPlaces();
  const own = await askTimes(places, 8, 'ann');
  own[6]?.goAway();
  await answer(own[0]);
  expect([own[6]?.place, own[7]?.place !== undefined]).toEqual([undefined, true]);
});

test('beyond 2000 that wait, the user who has most loses one, and a newcomer none', async () => {
  const places = new FairPlaces();
  const many = await askTimes(places, 2006, 'ann', { isExempt: true });
  const [own] = await askTimes(places, 1, 'bob');
  expect(own?.place).toBeDefined();
  const fill = await askTimes(places, 12, 'cy', { address: '198.51.100.1' });
  const late = await ask(places, 'dora', { address: '198.51.100.1' });
  expect([atWork(fill), late.error]).toEqual([6, undefined]);
  expect(many.filter(({ error }) => error).length).toBeGreaterThan(0);
});

test('the places of an address are bounded, also when an older answer is read after the next request began', async () => {
  const places = new FairPlaces();
  const first = await ask(places, 'first');
  first.place?.leave(1000);
  const office: Request[] = [];
  for (let user = 0; user < 14; user++) office.push(await ask(places, `user ${user}`));
  first.place?.end();
  await settle();
  expect(atWork(office)).toBe(12);
});

describe('in whatever order requests are asked for, answered and read', () => {
  const USERS = 8;
  type State = 'waits' | 'works' | 'unread' | 'done';
  interface Drawn extends Request {
    address: string;
    state: State;
    bytes: number;
  }
  const act = fc.record({
    what: fc.constantFrom('ask', 'ask', 'leave', 'end', 'end at work', 'go'),
    who: fc.nat(2 * USERS - 1),
    /** To how many it happens. */
    times: fc.constantFrom(1, 2, 13),
    at: fc.nat(40),
    bytes: fc.constantFrom(0, 1000, MIB, 8 * MIB),
  });

  /** One history of requests of two addresses; `check` holds the bounds against it. */
  class History {
    readonly #places = new FairPlaces();
    #requests: Drawn[] = [];

    async ask(who: number): Promise<void> {
      const of = { address: who < USERS ? '192.0.2.1' : '198.51.100.1', isExempt: true };
      const request = await ask(this.#places, `user ${who}`, of);
      this.#requests.push(Object.assign(request, { ...of, state: 'waits' as const, bytes: 0 }));
    }

    async change(what: string, at: number, bytes: number): Promise<void> {
      const state = { leave: 'works', 'end at work': 'works', end: 'unread', go: 'waits' }[what];
      const those = this.#requests.filter((request) => request.state === state);
      const request = those[at % Math.max(1, those.length)];
      if (!request) return;
      request.state = what === 'leave' ? 'unread' : 'done';
      if (what === 'go') request.goAway();
      if (what === 'end' || what === 'end at work') request.place?.end();
      if (what === 'leave' || what === 'end at work') request.place?.leave(bytes);
      // A small answer fits into the system's own buffers.
      if (what === 'leave') request.bytes = bytes < 64 * 1024 ? 0 : bytes;
      this.#requests = this.#requests.filter((one) => one.state !== 'done');
      await settle();
    }

    check(): void {
      for (const request of this.#requests) {
        if (request.state !== 'waits' || !request.place) continue;
        request.state = 'works';
        expect(this.#unread(({ who }) => who === request.who)).toBeLessThan(8 * MIB);
        expect(this.#unread(({ address }) => address === request.address)).toBeLessThan(64 * MIB);
      }
      const working = this.#requests.filter(({ state }) => state === 'works');
      expect(working.length).toBeLessThanOrEqual(16);
      for (const one of working) {
        expect(working.filter(({ who }) => who === one.who).length).toBeLessThanOrEqual(6);
        expect(working.filter(({ address }) => address === one.address).length).toBeLessThanOrEqual(12);
      }
    }

    /** Ends all, and returns how much is remembered after some newcomers. */
    async end(): Promise<number> {
      for (const request of this.#requests) request.goAway();
      for (const request of this.#requests) await answer(request);
      for (let user = 0; user < 2 * USERS; user++) await answer(await ask(this.#places, `new ${user}`));
      return this.#places.size;
    }

    #unread(of: (request: Drawn) => boolean): number {
      return this.#requests
        .filter((request) => request.state === 'unread' && of(request))
        .reduce((sum, { bytes }) => sum + bytes, 0);
    }
  }

  test('a user has 6 places and an address 12; none begins beyond 8 and 64 MiB unread; all is forgotten', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 80 }), async (acts) => {
        const history = new History();
        for (const { what, who, times, at, bytes } of acts) {
          for (let time = 0; time < times; time++) {
            if (what === 'ask') await history.ask((who + time) % (2 * USERS));
            else await history.change(what, at, bytes);
            history.check();
          }
        }
        // Each newcomer makes two of the oldest users forgotten, so only the last one is left, and no address.
        expect(await history.end()).toBe(1);
      }),
      { numRuns: 50 },
    );
  });
});

test('whatever happens, no place is lost, and what is remembered shrinks', async () => {
  const act = fc.record({
    who: fc.integer({ min: 0, max: 5 }),
    what: fc.constantFrom('ask', 'leave', 'end', 'go', 'wait'),
    at: fc.nat(40),
    bytes: fc.constantFrom(0, 1000, MIB, 4 * MIB),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), async (acts) => {
      const places = new FairPlaces();
      const requests: Request[] = [];
      for (const { who, what, at, bytes } of acts) {
        const request = requests[at % Math.max(1, requests.length)];
        if (what === 'ask') requests.push(await ask(places, `user ${who}`));
        if (what === 'leave') request?.place?.leave(bytes);
        if (what === 'end') request?.place?.end();
        if (what === 'go') request?.goAway();
        if (what === 'wait') await vi.advanceTimersByTimeAsync(at * 100);
        await settle();
      }
      for (const request of requests) request.goAway();
      for (const request of requests) await answer(request);
      await vi.advanceTimersByTimeAsync(600_000);
      const all = await askTimes(places, 6, 'user 0');
      all.push(...(await askTimes(places, 6, 'user 1')));
      expect(atWork(all)).toBe(12);
      for (const request of all) await answer(request);
      for (let user = 0; user < 30; user++) await answer(await ask(places, `new ${user}`));
      expect(places.size).toBeLessThan(5);
    }),
    { numRuns: 50 },
  );
});
