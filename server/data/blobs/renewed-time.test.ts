import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { renewTime } from './renewed-time.ts';

const EVERY_MS = 5000;

afterEach(() => {
  vi.useRealTimers();
});

it('the time of a path is renewed from when it is there until the end, and no timer is left', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-renewed-'));
  // The time of files is the system's.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const path = join(folder, 'version');
    const stop = renewTime(path, EVERY_MS);
    vi.advanceTimersByTime(EVERY_MS);
    await writeFile(path, 'half');
    await utimes(path, 1000, 1000);
    vi.advanceTimersByTime(EVERY_MS);
    await expect
      .poll(async () => (await stat(path)).mtimeMs, { timeout: 15_000 })
      .toBeGreaterThan(1_000_000_000);
    expect(vi.getTimerCount()).toBe(1);
    stop();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
