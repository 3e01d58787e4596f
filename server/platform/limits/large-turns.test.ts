import { expect, test } from 'vitest';
import { LargeTurns } from './large-turns.ts';

test('the first large answer is made at once, and each of the others in a turn of its own, in order', async () => {
  const turns = new LargeTurns();
  const made: string[] = [];
  let turn = 0;
  const count = () => {
    turn++;
    if (made.length < 5) setImmediate(count);
  };
  setImmediate(count);
  const all = ['a', 'b', 'c', 'd', 'e'].map(async (name) => {
    await turns.next();
    made.push(`${name}${turn}`);
  });
  await Promise.resolve();
  await Promise.resolve();
  expect(made).toEqual(['a0']);
  await Promise.all(all);
  expect(made.map((name) => name.charAt(0))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(new Set(made.map((name) => name.slice(1))).size).toBe(5);
});
