import { afterAll, beforeAll, expect, it } from 'vitest';
import { newUser, newUserAndRoom, say } from '../../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../../data/storage/sqlite/temporary-store.ts';
import { type UserLogRow, userSeqOf } from './user-log.ts';
import { UserLogs } from './user-logs.ts';

let opened: TemporaryStore;
beforeAll(async () => {
  opened = await openTemporaryStore();
});
afterAll(async () => await opened?.dispose());

it('an entry of the inbox that was announced with its row is not read; what was not announced is read before it', async () => {
  const { store } = opened;
  const now = Date.now();
  const { user: owner, room } = await newUserAndRoom(store);
  const { id: userId } = await newUser(store);
  const roomId = room.id;
  await store.joinRoom({ roomId, userId, now });
  const said = await say(store, { roomId, userId: owner.id }, ['one', 'two', 'three']);
  let reads = 0;
  const counting: typeof store.userLog = (page) => {
    reads++;
    return store.userLog(page);
  };
  const logs = new UserLogs({
    store: { ...store, userLog: counting },
    deliveredIn: () => Number.POSITIVE_INFINITY,
    reading: (read) => read(),
  });
  const log = await logs.hold(userId);
  const from = log.head;
  const told: UserLogRow[] = [];
  log.add({
    knows: () => true,
    tell: (row) => told.push(row),
    notify: () => {},
    judge: () => {},
    left: () => {},
  });
  const mention = async (index: number) => {
    const { id: messageId = 0, seq = 0 } = said[index] ?? {};
    const inbox = [{ userId, messageId, threadId: null, seq, reason: 'mention' as const }];
    const rows = { inbox, notices: [], threads: [], withdrawn: [] };
    const written = await store.notify({ name: 'test', roomId, from: 0, to: null, now, ...rows });
    const [change] = written.outcome === 'written' ? written.changes : [];
    return () => {
      if (!change) return;
      const { userSeq: seq, ...row } = change;
      logs.hear({ type: 'user_log', ...row, seq });
    };
  };
  reads = 0;
  (await mention(0))();
  expect(told).toHaveLength(1);
  expect(reads).toBe(0);
  await mention(1);
  (await mention(2))();
  await expect.poll(() => told.length, { timeout: 20_000 }).toBe(3);
  expect(told.map(userSeqOf)).toEqual([from + 1, from + 2, from + 3]);
  // What was brought is what is stored.
  const { inbox } = await store.userLog({ userId, after: from, limit: 9 });
  expect(told).toEqual(inbox.map((row) => ({ kind: 'inbox', inbox: row })));
});
