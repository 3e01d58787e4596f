import { afterAll, beforeAll, expect, it } from 'vitest';
import { newRoom, newUser, say } from '../contract/subject.ts';
import { databaseFile } from '../sqlite/data-dir.ts';
import { openForReading } from '../sqlite/database.ts';
import type { Sqlite } from '../sqlite/driver/driver.ts';
import { textOf } from '../sqlite/statement-text.ts';
import { openTemporaryStore, type TemporaryStore } from '../sqlite/temporary-store.ts';
import { inboxReads } from './inbox.ts';
import type { Steps } from './steps.ts';

let opened: TemporaryStore;
let sqlite: Sqlite;
beforeAll(async () => {
  opened = await openTemporaryStore();
  sqlite = openForReading(databaseFile(opened.dataDir));
});
afterAll(async () => {
  sqlite.close();
  await opened.dispose();
});

/** Runs the steps, and counts their statements. */
function counted<T>(steps: Steps<T>): { result: T; statements: number } {
  let statements = 0;
  let step = steps.next([]);
  for (; !step.done; statements++) {
    const rows = sqlite.prepare(textOf(step.value)).all(...step.value.values);
    step = steps.next(rows);
  }
  return { result: step.value, statements };
}

it('a page of the inbox takes three statements, in however many rooms and threads its entries are', async () => {
  const { store } = opened;
  const now = Date.now();
  const [owner, reader] = [await newUser(store), await newUser(store)];
  const roomIds: number[] = [];
  for (let place = 0; place < 10; place++) {
    const { id: roomId } = await newRoom(store, owner.id);
    await store.joinRoom({ roomId, userId: reader.id, now });
    const said = await say(store, { roomId, userId: owner.id }, ['a root', 'main', 'thread', 'last']);
    const [root, ...others] = said;
    const inbox = others.map(({ id: messageId, seq }, index) => ({
      ...{ userId: reader.id, messageId, seq, reason: 'mention' as const },
      threadId: index === 1 ? (root?.id ?? 0) : null,
    }));
    const rows = { inbox, notices: [], threads: [], withdrawn: [] };
    await store.notify({ name: 'test', roomId, from: 0, to: 4, now, ...rows });
    roomIds.push(roomId);
  }
  const page = (limit: number, before?: number) =>
    counted(inboxReads.inbox({ userId: reader.id, limit, now, before }));
  const all = page(30);
  expect(all.result.entries.map(({ roomId, message }) => [roomId, message.content])).toEqual(
    roomIds.toReversed().flatMap((roomId) => ['last', 'thread', 'main'].map((text) => [roomId, text])),
  );
  expect([all.statements, page(1).statements]).toEqual([3, 3]);
  expect([all.result.hasMore, page(29).result.hasMore]).toEqual([false, true]);
  // Rooms that the reader has lost leave no entries, and cost no statements of their own.
  for (const roomId of roomIds.slice(2)) {
    await store.leaveRoom({ roomId, userId: reader.id, now });
    await store.changeRoom({ roomId, actorId: owner.id, now, patch: { kind: 'private' } });
  }
  const left = page(30);
  expect(new Set(left.result.entries.map(({ roomId }) => roomId))).toEqual(new Set(roomIds.slice(0, 2)));
  expect(left.statements).toBe(3);
});
