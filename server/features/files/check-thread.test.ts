import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckThread } from './check-thread.ts';

test('one thread looks at many files, and nothing of a check stays with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-check-'));
  const path = join(folder, 'file');
  await writeFile(path, 'plain text');
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const thread = new CheckThread();
  try {
    for (let count = 0; count < 15; count++) {
      const task = { path, newPath: `${path}.new`, isCopied: false };
      expect(await thread.check(task, 10)).toMatchObject({ state: 'ready' });
    }
    // Node warns in a later turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', onWarning);
    await thread.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
