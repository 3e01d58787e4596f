/** Stores messages in a loop, in Roomful's tables and with its durability, and prints how many per second. */
import { join } from 'node:path';
import { makeDurable, openForWriting, transaction } from '../../server/data/storage/sqlite/database.ts';
import { createSchema, insertRooms, insertUser } from '../database.ts';
import { messageContent, nowUs } from '../load/content.ts';

const BATCH = 100;
const ROOMS = 200;

const [dataDir = '', seconds = '1'] = process.argv.slice(2);
const sqlite = openForWriting(join(dataDir, 'raw.db'));
makeDurable(sqlite);
// This loop has no checkpointer like the server's, so SQLite makes the checkpoints.
sqlite.exec('PRAGMA wal_autocheckpoint = 1000');
createSchema(sqlite);
const userId = insertUser(sqlite);
const rooms = insertRooms(sqlite, userId, ROOMS).map((id) => ({ id, seq: 0 }));

const insert = sqlite.prepare(
  'INSERT INTO messages (room_id, seq, changed_seq, user_id, cid, content, created_at) VALUES (?, ?, ?, ?, NULL, ?, ?)',
);
const updateRoom = sqlite.prepare('UPDATE rooms SET seq = ? WHERE id = ?');
function commitBatch(first: number): void {
  for (let index = first; index < first + BATCH; index++) {
    const room = rooms[index % ROOMS];
    if (!room) throw new Error('no rooms');
    const seq = ++room.seq;
    insert.run(room.id, seq, seq, userId, messageContent(index % 1000, nowUs()), Date.now());
    updateRoom.run(seq, room.id);
  }
}

const from = performance.now();
const until = from + Number(seconds) * 1000;
let stored = 0;
for (; performance.now() < until; stored += BATCH) transaction(sqlite, () => commitBatch(stored));
process.stdout.write(`${Math.round((stored * 1000) / (performance.now() - from))}\n`);
sqlite.close();
