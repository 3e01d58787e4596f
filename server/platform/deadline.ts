/**
 * The promise, or a rejection after `ms` milliseconds; what it settles to later is ignored. What has arrived while this
 * process was busy is in time: before the rejection, the event loop reads its sockets once more.
 */
export async function within<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error(message))), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
