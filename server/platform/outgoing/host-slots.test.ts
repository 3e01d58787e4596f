import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostSlots } from './host-slots.ts';

const never = new AbortController().signal;

/** A task that runs until it is ended. */
function held(slots: HostSlots, host: string, started: string[], signal = never) {
  let end = () => {};
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done = slots.run(host, signal, async () => {
    started.push(host);
    await until;
  });
  return { done, end };
}

describe('HostSlots', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => void vi.useRealTimers());

  const bounds = { perHost: 2, total: 3, maxWaiting: 4, maxWaitMs: 1000 };

  it('two run at once per host, three in all; hosts that wait take turns', async () => {
    const slots = new HostSlots(bounds);
    const started: string[] = [];
    const tasks = ['a', 'a', 'a', 'b', 'b', 'c', 'a'].map((host) => held(slots, host, started));
    expect(started).toEqual(['a', 'a', 'b']);
    for (const { end, done } of tasks) {
      end();
      await done;
    }
    expect(started.slice(3).sort()).toEqual(['a', 'a', 'b', 'c']);
    expect(started.indexOf('c')).toBeLessThan(started.lastIndexOf('a'));
  });

  it('with growth, a host has one more at once for each task that goes well, up to a bound; one that fails ends that', async () => {
    const slots = new HostSlots({ ...bounds, total: 9, maxWaiting: 99 });
    const growth = { most: 4, isWell: (result: unknown) => result === 'well' };
    let running = 0;
    const ends: ((result: string) => void)[] = [];
    const task = async () => {
      running++;
      const result = await new Promise<string>((resolve) => ends.push(resolve));
      running--;
      if (result === 'error') throw new Error(result);
      return result;
    };
    const all = Array.from({ length: 30 }, () => slots.run('a', never, task, growth).catch(() => 'failed'));
    const runningAfter = async (result: string) => {
      ends.shift()?.(result);
      await new Promise(setImmediate);
      return running;
    };
    expect(running).toBe(2);
    expect([await runningAfter('well'), await runningAfter('well'), await runningAfter('well')]).toEqual([
      3, 4, 4,
    ]);
    expect([await runningAfter('busy'), await runningAfter('well'), await runningAfter('well')]).toEqual([
      3, 3, 4,
    ]);
    expect([await runningAfter('error'), await runningAfter('busy'), await runningAfter('busy')]).toEqual([
      3, 2, 2,
    ]);
    while (ends.length > 0) await runningAfter('busy');
    await Promise.all(all);
  });

  it('one more than may wait is refused, and so is one that has waited for too long', async () => {
    const slots = new HostSlots(bounds);
    const tasks = Array.from({ length: 6 }, () => held(slots, 'a', []));
    await expect(held(slots, 'a', []).done).rejects.toMatchObject({ reason: 'busy' });
    const late = Promise.allSettled(tasks.slice(2).map(({ done }) => done));
    vi.advanceTimersByTime(1000);
    for (const outcome of await late) expect(outcome).toMatchObject({ reason: { reason: 'busy' } });
    for (const { end } of tasks) end();
  });

  it('a request that is aborted while it waits gives up its place', async () => {
    const slots = new HostSlots({ ...bounds, maxWaiting: 1 });
    const first = [held(slots, 'a', []), held(slots, 'a', [])];
    const abort = new AbortController();
    const waiting = held(slots, 'a', [], abort.signal);
    abort.abort(new Error('gone'));
    await expect(waiting.done).rejects.toThrow('gone');
    const next = held(slots, 'a', []);
    for (const { end } of [...first, next]) end();
    await next.done;
  });

  it('whatever comes and ends, the bounds hold, and every task that was not refused runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 }), async (hosts) => {
        const slots = new HostSlots({ ...bounds, maxWaiting: 10 });
        const running = new Map<string, number>();
        let done = 0;
        const outcomes = await Promise.allSettled(
          hosts.map((host, index) =>
            slots.run(host, never, async () => {
              running.set(host, (running.get(host) ?? 0) + 1);
              expect(running.get(host)).toBeLessThanOrEqual(2);
              expect([...running.values()].reduce((sum, count) => sum + count)).toBeLessThanOrEqual(3);
              for (let turns = 0; turns < index % 5; turns++) await Promise.resolve();
              running.set(host, (running.get(host) ?? 0) - 1);
              done++;
            }),
          ),
        );
        expect(done).toBe(outcomes.filter(({ status }) => status === 'fulfilled').length);
        expect(done).toBeGreaterThanOrEqual(Math.min(hosts.length, 10));
      }),
    );
  });
});
