/** The logs that this process serves, and how far it has delivered them. */

/** A log may be served twice: by those who have its room open, and by those who have it on their lists. */
export interface ServedLog {
  lowest: number;
  highest: number;
}

export interface ServedLogs {
  rooms: Map<number, ServedLog>;
  /** Users' own logs. */
  users: Map<number, ServedLog>;
}

export function addServed(logs: Map<number, ServedLog>, id: number, head: number): void {
  const served = logs.get(id);
  if (!served) return void logs.set(id, { lowest: head, highest: head });
  served.lowest = Math.min(served.lowest, head);
  served.highest = Math.max(served.highest, head);
}
