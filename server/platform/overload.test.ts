import { beforeEach, describe, expect, it } from 'vitest';
import { Lifecycle } from './lifecycle.ts';
import { Overload, SAMPLE_EVERY_MS } from './overload.ts';

let now = 0;
let memory = 0;
let isOn = false;
let overload: Overload;

beforeEach(() => {
  now = 5000;
  memory = 0;
  isOn = false;
  overload = make({ delayMark: 250, memoryMark: 1000 });
});

function make(marks: { delayMark: number; memoryMark: number }): Overload {
  return new Overload({
    ...marks,
    now: () => now,
    memory: () => memory,
    onChange: (next) => {
      isOn = next;
    },
  });
}

/** This number of turns of the timer, each of them this late. */
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
    expect(isOn).toBe(false);
    turns(1, 251);
    expect(isOn).toBe(true);
  });

  it('is none at the mark itself, nor after one long turn', () => {
    turns(5, 250);
    turns(1, 60_000);
    turns(5, 0);
    expect(isOn).toBe(false);
  });

  it('ends the overload at half the mark', () => {
    turns(5, 900);
    turns(50, 126);
    expect(isOn).toBe(true);
    turns(3, 125);
    expect(isOn).toBe(false);
  });
});

it('memory above the mark is an overload, until it is at nine tenths of it', () => {
  memory = 1001;
  turns(5, 0);
  expect(isOn).toBe(true);
  memory = 901;
  turns(50, 0);
  expect(isOn).toBe(true);
  memory = 900;
  turns(3, 0);
  expect(isOn).toBe(false);
});

it('a mark of 0 is none', () => {
  overload = make({ delayMark: 0, memoryMark: 0 });
  memory = 1e12;
  turns(10, 60_000);
  expect(isOn).toBe(false);
});

it('a refusal for overload is retryable, and spreads those who come back over 2 to 6 seconds', () => {
  const retryAfter = [0, 0.5, 1].map((random) => {
    const lifecycle = new Lifecycle(() => random);
    expect(lifecycle.refusal).toBeUndefined();
    lifecycle.isOverloaded = true;
    expect(lifecycle.overloadRefusal).toMatchObject({ code: 'service_unavailable', status: 503 });
    return lifecycle.refusal?.retryAfterMs;
  });
  expect(retryAfter).toEqual([2000, 4000, 6000]);
});

it('messages over open sockets are refused before a stop, and not for overload', () => {
  const lifecycle = new Lifecycle();
  lifecycle.isOverloaded = true;
  expect(lifecycle.frameRefusal).toBeUndefined();
  lifecycle.draining = true;
  expect(lifecycle.frameRefusal).toMatchObject({ code: 'service_unavailable' });
});

it('a stop refuses new sockets, but no request that has arrived', () => {
  const lifecycle = new Lifecycle();
  lifecycle.draining = true;
  expect(lifecycle.refusal).toMatchObject({ code: 'service_unavailable' });
  expect(lifecycle.overloadRefusal).toBeUndefined();
});
