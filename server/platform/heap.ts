/** How V8 treats the memory of the server. Decisions 0108 and 0130 have the figures. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * While bytes of requests are collected: before V8 collects its old objects, they may become this much more, in percent
 * of what was left by the collection before. By itself V8 allows a third more, and counts the bytes of requests among
 * them. Of a heap of 25 MiB that third is gone in half a second of uploads, and each collection holds messages up for
 * some 40 ms.
 */
const GROWTH_PERCENT = 200;
/** V8 decides by itself. */
const BY_ITSELF = 0;

/**
 * Makes collections rarer, in all threads of the process, or as frequent as V8 has them. V8 looks at it whenever a
 * collection of the old objects ends.
 */
export function letHeapGrow(mayGrow: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${mayGrow ? GROWTH_PERCENT : BY_ITSELF}`);
}

/**
 * For threads whose objects live as long as one request. By itself V8 widens the place for new objects to 32 MiB in a
 * thread that is busy for a moment, and keeps it.
 */
export const THREAD_LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 6 };

/**
 * Collects what only the start of this thread needed, and gives what is free back to the operating system. Loading the
 * modules makes V8 widen its heap for new objects, and it keeps that width, about 15 MiB, for as long as there is little
 * to do. It blocks the thread for some tens of milliseconds, so the event loop calls it before the server listens.
 */
export async function collectStartGarbage(): Promise<void> {
  // Absent where Node was built without it.
  if (!process.features.inspector) return;
  // A session within the process opens no port.
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
