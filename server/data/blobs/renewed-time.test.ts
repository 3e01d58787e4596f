import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { renewTime } from './renewed-time.ts';

it('the time of a path is renewed from when it is there until the end, and not after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-renewed-'));
  try {
    const path = join(folder, 'version');
    const stop = renewTime(path, 10);
    await writeFile(path, 'half');
    await utimes(path, 1000, 1000);
    await vi.waitFor(async () => expect((await stat(path)).mtimeMs).toBeGreaterThan(1_000_000_000));
    stop();
    // What was under way when it ended may still come.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await utimes(path, 1000, 1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await stat(path)).mtimeMs).toBe(1_000_000);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
