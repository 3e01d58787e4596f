/**
 * What this process counts while it works. Plain numbers, so that counting costs nothing worth measuring; they become
 * metrics when somebody asks for them (registry.ts).
 */
export const measures = {
  /** Messages that were stored and acknowledged. */
  acked: 0,
  /** Frames of rooms, times the sockets that each went to. */
  deliveries: 0,
  /** Ends of turns at which rooms wrote to their sockets, and the time that took in milliseconds. */
  turns: 0,
  turnMs: 0,
  /** Batches that were committed to the database, the writes in them, and the time that took in milliseconds. */
  commits: 0,
  commitItems: 0,
  commitMs: 0,
  /** The longest commit since the last reading. */
  commitMaxMs: 0,
  /** Sockets that were closed because they did not take what they owed. */
  slowCloses: 0,
  /** Refused requests and refused upgrades, by error code. */
  refused: new Map<string, number>(),
  refusedUpgrades: new Map<string, number>(),
};

/** One more of this kind. */
export function countOf(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
}
