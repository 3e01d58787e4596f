import { describe, expect, it } from 'vitest';
import { DatabaseClock } from './clock.ts';

/** A clock whose monotonic clock is set by hand. */
function clockAt(start: number) {
  const host = { at: start };
  const clock = new DatabaseClock(() => host.at);
  return { host, clock };
}

describe("the database's clock", () => {
  it('has no time before the first reading', () => {
    expect(() => clockAt(0).clock.now()).toThrow('was not set');
  });

  it('goes on with the monotonic clock; a reading is as old as half of its round trip', () => {
    const { host, clock } = clockAt(100);
    clock.correct({ now: 5_000_000, sentAt: 80, receivedAt: 100 });
    expect(clock.now()).toBe(5_000_010);
    host.at += 60_000;
    expect(clock.now()).toBe(5_060_010);
  });

  it('a correction forward takes effect at once', () => {
    const { clock } = clockAt(0);
    clock.correct({ now: 1000, sentAt: 0, receivedAt: 0 });
    clock.correct({ now: 9000, sentAt: 0, receivedAt: 0 });
    expect(clock.now()).toBe(9000);
  });

  it('after a correction backward the clock runs at half speed until it is right, and never goes back', () => {
    const { host, clock } = clockAt(0);
    clock.correct({ now: 10_000, sentAt: 0, receivedAt: 0 });
    clock.correct({ now: 9000, sentAt: 0, receivedAt: 0 });
    const shown: number[] = [];
    for (const at of [0, 500, 1000, 2000, 3000]) {
      host.at = at;
      shown.push(clock.now());
    }
    expect(shown).toEqual([10_000, 10_250, 10_500, 11_000, 12_000]);
  });

  it('a reading while the clock runs slow begins from what the clock shows', () => {
    const { host, clock } = clockAt(0);
    clock.correct({ now: 10_000, sentAt: 0, receivedAt: 0 });
    clock.correct({ now: 9000, sentAt: 0, receivedAt: 0 });
    host.at = 1000;
    clock.correct({ now: 10_000, sentAt: 1000, receivedAt: 1000 });
    expect(clock.now()).toBe(10_500);
    host.at = 2000;
    expect(clock.now()).toBe(11_000);
  });
});
