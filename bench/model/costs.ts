/** What each step takes, in CPU microseconds unless it says otherwise. */
export interface Costs {
  /** Of a process: a message of its own sockets. */
  messageUs: number;
  /** A message of another process. */
  copyUs: number;
  /** A read from a socket, with what it leads to, and a write. */
  readUs: number;
  writeUs: number;
  /** Of PostgreSQL: a message, and a batch. */
  rowUs: number;
  batchUs: number;
  /** A flush of the log to disk, which is waiting time. */
  flushUs: number;
  /** Of Redis: a message, and each other process that receives it. */
  redisUs: number;
  redisCopyUs: number;
}
