import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttled } from './log.ts';

const AWAY = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
const FULL = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

describe('lines about events that can come by the thousand', () => {
  let lines: { at: number; cause: unknown; count: number }[];
  let say: (event: unknown) => void;
  let from: number;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    from = performance.now();
    lines = [];
    say = throttled((latest: unknown, count) => {
      const cause = latest instanceof Error && 'code' in latest ? latest.code : latest;
      lines.push({ at: performance.now() - from, cause, count });
    });
  });
  afterEach(() => void vi.useRealTimers());

  it('the first event has a line at once, and further ones of its cause one a minute, with their number', () => {
    for (let n = 0; n < 1000; n++) say(AWAY());
    expect(lines).toEqual([{ at: 0, cause: 'ECONNREFUSED', count: 1 }]);
    vi.advanceTimersByTime(60_000);
    expect(lines.slice(1)).toEqual([{ at: 60_000, cause: 'ECONNREFUSED', count: 999 }]);
    vi.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
    say(AWAY());
    expect(lines).toHaveLength(3);
  });

  it('another cause has a line at once, with the number of events since the last line', () => {
    say(AWAY());
    vi.advanceTimersByTime(20_000);
    say(AWAY());
    say(FULL());
    expect(lines.slice(1)).toEqual([{ at: 20_000, cause: 'ENOSPC', count: 2 }]);
    vi.advanceTimersByTime(59_999);
    expect(lines).toHaveLength(2);
  });

  it('a cause that is wrapped in the same error is told apart', () => {
    say(new Error('refused', { cause: AWAY() }));
    vi.advanceTimersByTime(5000);
    say(new Error('refused', { cause: AWAY() }));
    expect(lines).toHaveLength(1);
    say(new Error('refused', { cause: FULL() }));
    expect(lines).toHaveLength(2);
  });

  it('causes that differ in numbers alone are one', () => {
    say(new Error('from port 40112'));
    vi.advanceTimersByTime(5000);
    say(new Error('from port 40113'));
    expect(lines).toHaveLength(1);
  });

  it('causes that take turns have a line each a minute, and no event is left out', () => {
    for (let n = 0; n < 6000; n++) {
      say(n % 2 === 0 ? AWAY() : FULL());
      vi.advanceTimersByTime(50);
    }
    vi.advanceTimersByTime(120_000);
    expect(lines.length).toBeLessThanOrEqual(2 * 6);
    expect(lines.reduce((sum, { count }) => sum + count, 0)).toBe(6000);
    expect(lines.at(-1)?.cause).toBe('ENOSPC');
  });

  it('a thousand causes have 10 lines a minute, the last one with the newest', () => {
    for (let n = 0; n < 1000; n++) say('x'.repeat(n % 200) + String.fromCodePoint(0x4e00 + n));
    expect(lines).toHaveLength(10);
    vi.advanceTimersByTime(60_000);
    expect(lines).toHaveLength(11);
    expect(lines[10]).toMatchObject({ cause: expect.stringMatching(/\u51e7$/), count: 990 });
  });
});
