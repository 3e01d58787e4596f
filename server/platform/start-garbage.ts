/**
 * The memory that only the start needed. Loading the modules makes V8 widen its heap for new objects, and it keeps that
 * width, about 15 MiB, for as long as the process has little to do.
 */

/**
 * Collects all garbage and gives what is free back to the operating system. It blocks the event loop for some tens of
 * milliseconds, so it is called before the server listens. The heap widens again under load.
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
