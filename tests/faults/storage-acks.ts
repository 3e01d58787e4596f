/** What the appending process was promised, and the check that the database kept it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openForWriting, pragma } from '../../server/data/storage/sqlite/database.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { MessageRow, Store } from '../../server/data/storage/store.ts';
import { contentOf } from './storage-messages.ts';

/** One acknowledged message. */
export interface Ack {
  cid: string;
  roomId: number;
  id: number;
  seq: number;
}

/** Opens the store in this process, hands it over and closes it again. */
export async function withStore<T>(dataDir: string, body: (store: Store) => Promise<T>): Promise<T> {
  const { store } = await openSqliteStore({
    dataDir,
    onFatal(error) {
      throw error;
    },
  });
  try {
    return await body(store);
  } finally {
    await store.close();
  }
}

/** Every room's whole history, in order, by room. */
export async function readAllRooms(store: Store): Promise<Map<number, MessageRow[]>> {
  const histories = new Map<number, MessageRow[]>();
  for (const { id: roomId } of await store.listRooms({ limit: 500, userId: 1 })) {
    const history: MessageRow[] = [];
    for (;;) {
      const page = await store.messagesAfter({ roomId, seq: history.at(-1)?.seq ?? 0, limit: 1000 });
      if (page.length === 0) break;
      history.push(...page);
    }
    histories.set(roomId, history);
  }
  return histories;
}

/**
 * Throws unless the database is sound and holds every ack exactly once, as it was acknowledged, and nothing that was
 * never sent; returns how many messages it holds.
 */
export async function expectKept(dataDir: string, acks: readonly Ack[]): Promise<number> {
  const histories = await withStore(dataDir, readAllRooms);
  const stored = [...histories.values()].flat();
  for (const history of histories.values()) expectOrder(history);

  const byCid = new Map<string, MessageRow>();
  for (const row of stored) {
    assert(row.cid !== null && row.content === contentOf(row.cid), `unexpected: ${row.cid}`);
    assert(!byCid.has(row.cid), `stored twice: ${row.cid}`);
    byCid.set(row.cid, row);
  }
  for (const { cid, roomId, id, seq } of acks) {
    const row = byCid.get(cid);
    assert(row, `lost: ${cid}, acked as ${id} (room ${roomId}, seq ${seq})`);
    assert.deepEqual({ roomId: row.roomId, id: row.id, seq: row.seq }, { roomId, id, seq }, cid);
  }
  expectSound(dataDir);
  return stored.length;
}

function expectOrder(history: readonly MessageRow[]): void {
  for (const [index, row] of history.entries()) {
    const before = history[index - 1];
    assert.equal(row.seq, index + 1, `a gap in room ${row.roomId}`);
    if (before) assert(row.id > before.id && row.createdAt >= before.createdAt, `disorder at ${row.id}`);
  }
}

/** Throws unless SQLite finds the file sound. */
export function expectSound(dataDir: string): void {
  const sqlite = openForWriting(join(dataDir, 'roomful.db'));
  try {
    assert.equal(pragma(sqlite, 'integrity_check'), 'ok');
    assert.equal(pragma(sqlite, 'foreign_key_check'), undefined);
  } finally {
    sqlite.close();
  }
}
