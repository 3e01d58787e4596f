import { describe, expect, test } from 'vitest';
import { Revocations } from './revocations.ts';

const TTL_S = 900;
const HOUR_MS = 3_600_000;

function start(limit?: number) {
  const clock = { now: 1_000_000_000 };
  const revocations = new Revocations({
    accessTtlS: TTL_S,
    now: () => clock.now,
    ...(limit === undefined ? {} : { limit }),
  });
  return { clock, revocations };
}

describe('a revocation', () => {
  test('covers the tokens of its session alone', () => {
    const { clock, revocations } = start();
    revocations.add(1);
    expect(revocations.covers({ sessionId: 1, issuedAt: clock.now })).toBe(true);
    expect(revocations.covers({ sessionId: 2, issuedAt: clock.now })).toBe(false);
  });

  test('is remembered for as long as a token or ticket lives, with an hour for a clock that is set back', () => {
    const { clock, revocations } = start();
    const issuedAt = clock.now;
    revocations.add(1);
    clock.now += TTL_S * 1000 + HOUR_MS;
    revocations.sweep();
    expect(revocations.covers({ sessionId: 1, issuedAt })).toBe(true);
    clock.now += HOUR_MS + 1;
    revocations.sweep();
    expect(revocations.covers({ sessionId: 1, issuedAt })).toBe(false);
  });
});

describe('the table is bounded', () => {
  test('beyond its limit, tokens as old as the oldest revocation are refused, and none is forgotten', () => {
    const { clock, revocations } = start(2);
    const before = clock.now;
    revocations.add(1);
    clock.now += 1000;
    revocations.add(2);
    revocations.add(3);
    expect(revocations.covers({ sessionId: 1, issuedAt: before })).toBe(true);
    expect(revocations.covers({ sessionId: 2, issuedAt: clock.now })).toBe(true);
    expect(revocations.covers({ sessionId: 3, issuedAt: clock.now })).toBe(true);
    // Its owner renews it and goes on.
    expect(revocations.covers({ sessionId: 4, issuedAt: before })).toBe(true);
    expect(revocations.covers({ sessionId: 4, issuedAt: before + 1 })).toBe(false);
  });

  test('and lets go of that, too, when no token is that old any more', () => {
    const { clock, revocations } = start(1);
    const before = clock.now;
    revocations.add(1);
    revocations.add(2);
    expect(revocations.covers({ sessionId: 3, issuedAt: before })).toBe(true);
    clock.now += TTL_S * 1000 + 2 * HOUR_MS + 1;
    revocations.sweep();
    expect(revocations.covers({ sessionId: 3, issuedAt: before })).toBe(false);
  });
});
