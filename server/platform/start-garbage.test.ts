import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectStartGarbage } from './start-garbage.ts';

test('what the start made and nobody holds is gone, old or new', async () => {
  const old: WeakRef<object>[] = [];
  for (let index = 0; index < 100; index++) old.push(new WeakRef({ index }));
  const held = { held: true };
  const kept = new WeakRef(held);
  // A WeakRef keeps its object until the job that made it ends.
  await nextTurn();
  await collectStartGarbage();
  expect(old.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  expect(kept.deref()).toBe(held);
});
