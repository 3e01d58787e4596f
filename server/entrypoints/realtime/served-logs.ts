/** The logs that this process follows, and how far it has delivered them. */

/** A log may be followed twice: by those who have its room open, and by those who have it on their lists. */
export interface Followed {
  lowest: number;
  highest: number;
}

export interface FollowedLogs {
  rooms: Map<number, Followed>;
  /** Users' own logs. */
  users: Map<number, Followed>;
}

export function follow(logs: Map<number, Followed>, id: number, head: number): void {
  const followed = logs.get(id);
  if (!followed) return void logs.set(id, { lowest: head, highest: head });
  followed.lowest = Math.min(followed.lowest, head);
  followed.highest = Math.max(followed.highest, head);
}
