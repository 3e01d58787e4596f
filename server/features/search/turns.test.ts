import { setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

test('one slice of one search is done in each round of the event loop, however many search; they take turns', async () => {
  let clock = 0;
  const turns = new Turns(() => clock);
  const done: string[] = [];
  const search = (name: string) =>
    turns.first([1, 2, 3, 4, 5], (item) => {
      clock += 2;
      done.push(`${name}${item}`);
      return undefined;
    });
  const all = Promise.all([search('a'), search('b'), search('c')]);
  const counts: number[] = [];
  let isOver = false;
  void all.then(() => (isOver = true));
  while (!isOver) {
    const before = done.length;
    await round();
    counts.push(done.length - before);
  }
  expect(Math.max(...counts)).toBeLessThanOrEqual(1);
  expect(done.join(' ')).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3 a4 b4 c4 a5 b5 c5');
});

test('the first item of which something is said ends it, and one that throws keeps nobody waiting', async () => {
  const turns = new Turns();
  const looked: number[] = [];
  const look = (item: number) => {
    looked.push(item);
    return item === 2 ? 'two' : undefined;
  };
  const broken = turns.first([1], () => {
    throw new Error('broken');
  });
  await expect(broken).rejects.toThrow('broken');
  expect(await turns.first([1, 2, 3], look)).toBe('two');
  expect(looked).toEqual([1, 2]);
  expect(await turns.first([], look)).toBeUndefined();
});

test('what goes before a look is done in slices, too, and the item is looked at once', async () => {
  let clock = 0;
  const turns = new Turns(() => clock);
  const done: string[] = [];
  function* prepare(item: string) {
    for (const step of [1, 2, 3]) {
      clock += 2;
      done.push(`${item}${step}`);
      yield;
    }
  }
  const look = (item: string) => {
    done.push(item);
    return undefined;
  };
  await Promise.all([turns.first(['a'], look, prepare), turns.first(['b'], look, prepare)]);
  expect(done.join(' ')).toBe('a1 b1 a2 b2 a3 b3 a b');
});
