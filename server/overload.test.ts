import { beforeEach, describe, expect, it } from 'vitest';
import { Lifecycle } from './lifecycle.ts';
import { Overload, SAMPLE_EVERY_MS } from './overload.ts';

let now = 0;
let memory = 0;
let share = 0;
let overload: Overload;

beforeEach(() => {
  now = 5000;
  memory = 0;
  share = 0;
  overload = make({ delayMark: 250, memoryMark: 1000 });
});

function make(marks: { delayMark: number; memoryMark: number }): Overload {
  return new Overload({
    ...marks,
    now: () => now,
    memory: () => memory,
    onShare: (next) => {
      share = next;
    },
  });
}

/** So many turns of the timer, each of them this late. */
function turns(count: number, delayMs: number): void {
  for (let turn = 0; turn < count; turn++) {
    now += SAMPLE_EVERY_MS + delayMs;
    overload.sample();
  }
}

describe('the delay of the event loop', () => {
  it('is an overload when the median of the last five samples is above the mark', () => {
    turns(5, 0);
    turns(2, 251);
    expect(share).toBe(0);
    turns(1, 251);
    expect(share).toBeGreaterThan(0);
  });

  it('is none at the mark itself, nor after one long turn', () => {
    turns(5, 250);
    turns(1, 60_000);
    turns(5, 0);
    expect(share).toBe(0);
  });

  it('raises the share of refused frames by a tenth a second at the mark, and faster the later it is', () => {
    turns(7, 251);
    expect(share).toBeCloseTo(3 * 0.351 * 0.1, 2);
    beginAnew();
    turns(5, 900);
    expect(share).toBeCloseTo(0.1 * 3.6, 5);
    turns(20, 900);
    expect(share).toBe(1);
  });

  it('holds the share between half the mark and the mark, and below takes it to nothing within 5 seconds', () => {
    turns(30, 900);
    turns(50, 126);
    const held = share;
    turns(50, 250);
    expect([held, share]).toEqual([1, 1]);
    turns(3, 0);
    expect(share).toBeLessThan(1);
    turns(50, 0);
    expect(share).toBe(0);
  });
});

function beginAnew(): void {
  share = 0;
  overload = make({ delayMark: 250, memoryMark: 1000 });
}

describe('the memory', () => {
  it('above the mark refuses all frames that write, until it is at nine tenths of it', () => {
    memory = 1001;
    turns(5, 0);
    expect(share).toBe(1);
    memory = 901;
    turns(50, 0);
    expect(share).toBe(1);
    memory = 900;
    turns(60, 0);
    expect(share).toBe(0);
  });
});

it('a mark of 0 is none', () => {
  overload = make({ delayMark: 0, memoryMark: 0 });
  memory = 1e12;
  turns(10, 60_000);
  expect(share).toBe(0);
});

it('a refusal for overload is retryable, and spreads those who come back over 2 to 6 seconds', () => {
  const retryAfter = [0, 0.5, 1].map((random) => {
    const lifecycle = new Lifecycle(() => random);
    expect(lifecycle.refusal).toBeUndefined();
    lifecycle.refusedShare = 0.5;
    expect(lifecycle.overloadRefusal).toMatchObject({ code: 'service_unavailable', status: 503 });
    return lifecycle.refusal?.retryAfterMs;
  });
  expect(retryAfter).toEqual([2000, 4000, 6000]);
});

it('a stop refuses new sockets, but no request that has arrived', () => {
  const lifecycle = new Lifecycle();
  lifecycle.draining = true;
  expect(lifecycle.refusal).toMatchObject({ code: 'service_unavailable' });
  expect(lifecycle.overloadRefusal).toBeUndefined();
});

it('refuses that share of the messages over open sockets, and all of them before a stop', () => {
  let random = 0.29;
  const lifecycle = new Lifecycle(() => random);
  lifecycle.refusedShare = 0.3;
  expect(lifecycle.frameRefusal).toMatchObject({ code: 'service_unavailable', retryAfterMs: 3160 });
  random = 0.3;
  expect(lifecycle.frameRefusal).toBeUndefined();
  lifecycle.draining = true;
  expect(lifecycle.frameRefusal).toMatchObject({ code: 'service_unavailable' });
});
