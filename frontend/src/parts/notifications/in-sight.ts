/** Which rooms the tabs of this browser show: each tab holds a lock that all can see. */

function lockOf(userId: number, roomId: number): string {
  return `roomful room in sight ${userId} ${roomId}`;
}

/** Says that this tab shows the room. Returns the function that ends that. */
export function holdInSight(userId: number, roomId: number): () => void {
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  void navigator.locks?.request(lockOf(userId, roomId), { mode: 'shared' }, () => held);
  return release;
}

/** Whether some tab of this browser shows the room. */
export async function isInSight(userId: number, roomId: number): Promise<boolean> {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === lockOf(userId, roomId));
}

/** Runs `task` in the first tab that asks for it, and in no other one for the next seconds. */
export async function inOneTab(name: string, seconds: number, task: () => Promise<void>): Promise<void> {
  const { locks } = navigator;
  // The page did not come over HTTPS. Browsers show no notifications there, either.
  if (locks === undefined) return await task();
  await locks.request(`roomful ${name}`, { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    await task();
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  });
}
