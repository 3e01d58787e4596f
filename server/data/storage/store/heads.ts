/** The heads of logs: what a process polls, because a notice from another process may be lost. */

/** The logs to read, at most 1000 of each kind. */
export interface HeadsQuery {
  roomIds: readonly number[];
  /** The users whose logs are asked about. */
  userIds: readonly number[];
}

/** The number of the last durable change in each log. Unknown rooms, and users whose log is empty, are left out. */
export interface Heads {
  /** Another one than at the start: the database may have lost what this process knows. */
  epoch: string;
  rooms: { roomId: number; seq: number }[];
  users: { userId: number; seq: number }[];
}

export interface HeadReads {
  heads(query: HeadsQuery): Heads;
}
