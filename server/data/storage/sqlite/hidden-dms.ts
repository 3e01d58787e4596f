/** A direct conversation that somebody has hidden comes back to them with its next message. */
import type { UserChange } from '../store.ts';
import type { Sqlite } from './driver/driver.ts';

export class HiddenDms {
  readonly #selectHidden;
  readonly #nextUserSeq;
  readonly #show;

  constructor(sqlite: Sqlite) {
    // At most ten people.
    this.#selectHidden = sqlite.prepare<[number], { userId: number }>(
      'SELECT user_id AS userId FROM members WHERE room_id = ? AND left_at IS NULL AND hidden = 1',
    );
    this.#nextUserSeq = sqlite.prepare<[number], { seq: number }>(
      `INSERT INTO user_logs (user_id, seq) VALUES (?, 1)
       ON CONFLICT (user_id) DO UPDATE SET seq = user_logs.seq + 1 RETURNING seq`,
    );
    this.#show = sqlite.prepare<[number, number, number]>(
      'UPDATE members SET hidden = 0, user_seq = ? WHERE user_id = ? AND room_id = ?',
    );
  }

  /** Puts the conversation back on the lists of members who had hidden it; returns the new rows in their logs. */
  show(roomId: number): UserChange[] {
    return this.#selectHidden.all(roomId).map(({ userId }) => {
      const userSeq = this.#nextUserSeq.get(userId)?.seq ?? 0;
      this.#show.run(userSeq, userId, roomId);
      return { userId, userSeq };
    });
  }
}
