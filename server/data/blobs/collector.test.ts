import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { expect, test, vi } from 'vitest';
import { Collector } from './collector.ts';

const FULL = 128 * 1024;

test('it takes what fits and says how much that was; emptied, it takes the rest', () => {
  const collector = new Collector();
  expect(collector.bytes).toHaveLength(0);
  expect(collector.take(Buffer.alloc(FULL - 1, 1))).toBe(FULL - 1);
  expect(collector.isFull).toBe(false);
  expect(collector.take(Buffer.from([2, 3]))).toBe(1);
  expect(collector.isFull).toBe(true);
  expect([collector.bytes[0], collector.bytes.at(-1), collector.bytes.length]).toEqual([1, 2, FULL]);
  collector.clear();
  expect(collector.take(Buffer.from([3]))).toBe(1);
  expect([...collector.bytes]).toEqual([3]);
  collector.release();
});

test('parts that are open at the same time never share memory; a later part has that of one that ended', () => {
  const [first, second] = [new Collector(), new Collector()];
  first.take(Buffer.from([1]));
  second.take(Buffer.from([2]));
  expect([[...first.bytes], [...second.bytes]]).toEqual([[1], [2]]);
  const memory = first.bytes.buffer;
  first.release();
  const third = new Collector();
  third.take(Buffer.from([3]));
  expect(third.bytes.buffer).toBe(memory);
  expect([...second.bytes]).toEqual([2]);
  second.release();
  third.release();
});

test('while one part is open, the memory of one that ended is held, however many there were', () => {
  const fill = (collector: Collector) => {
    collector.take(Buffer.from([1]));
    return collector.bytes.buffer;
  };
  const open = new Collector();
  const ended = Array.from({ length: 10 }, () => new Collector());
  const memories = new Set(ended.map(fill));
  for (const collector of ended) collector.release();
  const next = [new Collector(), new Collector()];
  expect(next.map((collector) => memories.has(fill(collector)))).toEqual([true, false]);
  for (const collector of [open, ...next]) collector.release();
});

test('when no part is open, no memory is held', () => {
  const one = new Collector();
  one.take(Buffer.from([1]));
  const memory = one.bytes.buffer;
  one.release();
  const next = new Collector();
  next.take(Buffer.from([1]));
  expect(next.bytes.buffer).not.toBe(memory);
  next.release();
});

test('the heap may grow from the first part that is open to the end of the last one', () => {
  const set = vi.spyOn(v8, 'setFlagsFromString').mockReturnValue(undefined);
  syncBuiltinESMExports();
  try {
    const flags = () => set.mock.calls.map(([flag]) => flag);
    const [first, second] = [new Collector(), new Collector()];
    expect(flags()).toEqual(['--heap-growing-percent=200']);
    first.release();
    expect(flags()).toHaveLength(1);
    second.release();
    expect(flags()).toEqual(['--heap-growing-percent=200', '--heap-growing-percent=0']);
  } finally {
    set.mockRestore();
    syncBuiltinESMExports();
  }
});
