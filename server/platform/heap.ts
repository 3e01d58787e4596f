/** How V8 treats the memory of the server. Decision 0108 has the figures. */
import { setFlagsFromString } from 'node:v8';

/**
 * Before V8 collects its old objects, they may become this much more, in percent of what was left by the collection
 * before. By itself V8 allows a third more, and counts the bytes of requests among them. Of a heap of 25 MiB that third
 * is gone in half a second of uploads, and each collection holds messages up for some 40 ms.
 */
const GROWTH_PERCENT = 200;

/** Makes collections rarer, in all threads of the process. */
export function letHeapGrow(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/**
 * Collects what only the start needed, and gives what is free back to the operating system. Loading the modules makes V8
 * widen its heap for new objects, and it keeps that width, about 15 MiB, for as long as the process has little to do. It
 * blocks the event loop for some tens of milliseconds, so it is called before the server listens.
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
