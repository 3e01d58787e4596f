import { execFile } from 'node:child_process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { collectStartGarbage } from './heap.ts';

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

test('V8 knows how far the heap may grow, in every version of Node that the server runs on', async () => {
  // V8 says on standard error that it does not know a flag, and goes on.
  const heap = JSON.stringify(new URL('./heap.js', import.meta.url).href);
  const script = `import { letHeapGrow } from ${heap}; letHeapGrow(true); letHeapGrow(false);`;
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  expect(stderr).toBe('');
});
