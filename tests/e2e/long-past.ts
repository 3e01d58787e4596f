/** Gives a room a long history, written directly into the server's database: posting it would take too long. */
import { join } from 'node:path';
import { openForWriting, transaction } from '../../server/data/storage/sqlite/database.ts';
import type { ServerProcess } from '../support/server-process.ts';

interface LongPast {
  roomId: number;
  /** The authors, in turn, three messages each. */
  userIds: number[];
  count: number;
  /** When the last was said; they are a minute apart. */
  until?: number;
}

const MINUTE_MS = 60_000;

/** Message n says "past n", some of them in many lines. Nobody may be in the room, which is empty before. */
export function plantPast(
  server: ServerProcess,
  { roomId, userIds, count, until = Date.now() }: LongPast,
): void {
  const sqlite = openForWriting(join(server.dataDir, 'data', 'roomful.db'));
  try {
    const insert = sqlite.prepare(
      `INSERT INTO messages (room_id, seq, changed_seq, user_id, content, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
    );
    transaction(sqlite, () => {
      for (let seq = 1; seq <= count; seq++) {
        const userId = userIds[Math.floor(seq / 3) % userIds.length] ?? 0;
        insert.run(roomId, seq, seq, userId, contentOf(seq), until - (count - seq) * MINUTE_MS);
      }
      sqlite.prepare('UPDATE rooms SET seq = ? WHERE id = ?').run(count, roomId);
    });
  } finally {
    sqlite.close();
  }
}

/** Rows of many heights: nothing may count on one. */
function contentOf(seq: number): string {
  const words = seq % 7 === 0 ? ' and so on, and on, and on'.repeat((seq % 5) * 4) : '';
  const lines = seq % 11 === 0 ? '\nanother line'.repeat(seq % 6) : '';
  return `past ${seq}.${words}${lines}`;
}
