import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from './fair-queue.ts';

function drain(queue: FairQueue<string>): string[] {
  return Array.from({ length: queue.size }, () => queue.shift() ?? 'nothing');
}

test('clients take turns, and each is served in its own order', () => {
  const queue = new FairQueue<string>(10);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charAt(0), item);
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  expect(queue.shift()).toBeUndefined();
});

test('one client may fill the queue, and what it sends beyond that comes back', () => {
  const queue = new FairQueue<string>(2);
  expect(queue.push('a', 'a1')).toBeUndefined();
  expect(queue.push('a', 'a2')).toBeUndefined();
  expect(queue.push('a', 'a3')).toBe('a3');
  expect(drain(queue)).toEqual(['a1', 'a2']);
});

test('of a full queue, the client with most items loses its newest to a client that has none', () => {
  const queue = new FairQueue<string>(4);
  for (const item of ['a1', 'b1', 'b2', 'b3']) queue.push(item.charAt(0), item);
  expect(queue.push('c', 'c1')).toBe('b3');
  expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'b2']);
});

test('nothing is lost, doubled or beyond the limit, and no client loses one while another has two more', () => {
  const client = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(fc.array(fc.oneof(client, fc.constant(null)), { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<string>(5);
      const waiting = new Map<string, string[]>();
      for (const [index, step] of steps.entries()) {
        if (step === null) {
          const item = queue.shift();
          const own = waiting.get(item?.charAt(0) ?? '');
          expect(item).toBe(own?.shift());
          continue;
        }
        const item = `${step}${index}`;
        waiting.set(step, [...(waiting.get(step) ?? []), item]);
        const dropped = queue.push(step, item);
        if (dropped === undefined) continue;
        const losers = waiting.get(dropped.charAt(0)) ?? [];
        expect(losers.length).toBe(Math.max(...[...waiting.values()].map((items) => items.length)));
        expect(dropped).toBe(losers.pop());
      }
      const left = [...waiting.values()].reduce((sum, items) => sum + items.length, 0);
      expect(queue.size).toBe(left);
      expect(left).toBeLessThanOrEqual(5);
    }),
  );
});
