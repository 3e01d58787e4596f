/** Rooms of all sizes with many messages, written at once. */
import { transaction } from '../../server/data/storage/sqlite/database.ts';
import type { Sqlite } from '../../server/data/storage/sqlite/driver/driver.ts';
import type { Random } from '../support/random.ts';

const ROOMS = 200;

/** The database must have a user. */
export function fillRooms(sqlite: Sqlite, messages: number, random: Random): void {
  const users = sqlite.prepare<[], { id: number }>('SELECT id FROM users').all();
  const room = sqlite.prepare<[string, string, number]>(
    'INSERT INTO rooms (name, name_key, owner_id, created_at) VALUES (?, ?, ?, 1)',
  );
  const message = sqlite.prepare<(number | string | null)[]>(
    `INSERT INTO messages (room_id, seq, changed_seq, number, user_id, cid, content, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = sqlite.prepare<[number, number, number, number]>(
    'UPDATE rooms SET seq = ?, number = ?, last_at = ? WHERE id = ?',
  );
  const someone = (): number => users[random.integer(0, users.length - 1)]?.id ?? 0;
  transaction(sqlite, () => {
    const rooms = Array.from({ length: ROOMS }, (_, index) => {
      const name = `filled ${index}`;
      return { id: room.run(name, name, someone()).lastInsertRowid, seq: 0 };
    });
    for (let count = 0; count < messages; count++) {
      // The first rooms are large, and the last ones may be empty.
      const into = rooms[Math.floor(ROOMS * random.next() ** 3)];
      if (!into) continue;
      into.seq++;
      const cid = random.next() < 0.1 ? null : `cid ${count}`;
      const content = `${count} \u{1f680} `.padEnd(random.integer(8, 200), 'x');
      message.run(into.id, into.seq, into.seq, into.seq, someone(), cid, content, count);
    }
    for (const { id, seq } of rooms) update.run(seq, seq, messages, id);
  });
}
