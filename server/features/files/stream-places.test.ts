import { expect, test, vi } from 'vitest';
import { AppError } from '../../../protocol/errors.ts';
import { StreamPlaces } from './stream-places.ts';

const enterAll = (places: StreamPlaces, count: number, address: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => places.enter(address(index))));

test('17 of one address: 16 begin, and the last when one of them ends; others do not wait for them', async () => {
  const places = new StreamPlaces();
  const [first] = await enterAll(places, 16, () => 'a');
  const begun = vi.fn();
  const last = places.enter('a').then(begun);
  await places.enter('b');
  expect([places.taken, begun.mock.calls.length]).toEqual([17, 0]);
  first?.();
  first?.();
  await last;
  expect([places.taken, begun.mock.calls.length]).toEqual([17, 1]);
});

test('49 of one person with as many addresses: 48 begin, and the last when one ends; others do not wait', async () => {
  const places = new StreamPlaces();
  const [first] = await Promise.all(Array.from({ length: 48 }, (_, index) => places.enter(`a${index}`, 1)));
  const begun = vi.fn();
  const last = places.enter('last', 1).then(begun);
  await places.enter('a1', 2);
  expect([places.taken, begun.mock.calls.length]).toEqual([49, 0]);
  first?.();
  await last;
  expect([places.taken, begun.mock.calls.length]).toEqual([49, 1]);
});

test('201 of as many addresses: 200 begin, and the last when one ends', async () => {
  const places = new StreamPlaces();
  const [first] = await enterAll(places, 200, String);
  const last = places.enter('last');
  expect(places.taken).toBe(200);
  first?.();
  await last;
  expect(places.taken).toBe(200);
});

test('whoever waits for ten seconds is refused, and takes no place later', async () => {
  vi.useFakeTimers();
  try {
    const places = new StreamPlaces();
    const [first] = await enterAll(places, 16, () => 'a');
    const refused = expect(places.enter('a')).rejects.toThrow(AppError);
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
    first?.();
    expect(places.taken).toBe(15);
  } finally {
    vi.useRealTimers();
  }
});
