/** Tells other processes that a file or folder is in use: its time of change is renewed while it is. */
import { utimes } from 'node:fs/promises';

/** Renews the time of this path until the returned function is called. The path need not exist yet. */
export function renewTime(path: string, everyMs: number): () => void {
  const timer = setInterval(() => {
    const now = Date.now() / 1000;
    utimes(path, now, now).catch(() => undefined);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
