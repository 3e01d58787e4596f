/** The logs of the users who have sockets here. A log is open as long as somebody holds it. */
import type { BusEvent, NotifyNotice } from '../../../data/bus/bus.ts';
import { UserLog, type UserLogParts } from './user-log.ts';

interface OpenLog {
  log: UserLog;
  holders: number;
  opened: Promise<void>;
}

export class UserLogs {
  readonly #parts: UserLogParts;
  readonly #logs = new Map<number, OpenLog>();

  constructor(parts: UserLogParts) {
    this.#parts = parts;
  }

  /** The user's log, which is listening and has its head. Every call needs one `release`. */
  async hold(userId: number): Promise<UserLog> {
    let open = this.#logs.get(userId);
    if (!open) {
      const log = new UserLog(this.#parts, userId);
      open = { log, holders: 0, opened: log.open() };
      this.#logs.set(userId, open);
    }
    open.holders++;
    try {
      await open.opened;
    } catch (error) {
      this.release(userId);
      throw error;
    }
    return open.log;
  }

  release(userId: number): void {
    const open = this.#logs.get(userId);
    if (open && --open.holders === 0) this.#logs.delete(userId);
  }

  /** The numbers up to which the open logs have been delivered. */
  *heads(): Iterable<[userId: number, head: number]> {
    for (const [userId, { log }] of this.#logs) yield [userId, log.head];
  }

  notify(userId: number, notice: NotifyNotice): void {
    this.#logs.get(userId)?.log.notify(notice);
  }

  /** `inbox`: the row, if the announcement brought it. A call of a room brings thousands, and none of them is read. */
  hear({ userId, seq, inbox, userRole, leftRoomId }: Extract<BusEvent, { type: 'user_log' }>): void {
    const log = this.#logs.get(userId)?.log;
    if (userRole !== undefined) log?.hearRole(seq, userRole);
    else if (leftRoomId !== undefined) log?.hearLeft(seq, leftRoomId);
    else log?.announce(seq, inbox && { kind: 'inbox', inbox });
  }
}
