import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { NOW, newUserAndRoom } from '../../../../data/storage/contract/subject.ts';
import { openSqliteStore } from '../../../../data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../../../data/storage/store.ts';
import { NO_PATIENCE } from '../../log/patience.ts';
import { RoomHead } from './room-head.ts';

let dataDir: string;
let store: Store;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'roomful-room-head-'));
  const onFatal = (error: Error) => {
    throw error;
  };
  ({ store } = await openSqliteStore({ dataDir, onFatal }));
});
afterAll(async () => {
  await store?.close();
  await rm(dataDir, { recursive: true });
});

it('a changed room is in the head, also when it could not be read at first', async () => {
  const { user, room } = await newUserAndRoom(store);
  let failures = 1;
  const findRoom: Store['findRoom'] = (roomId) =>
    failures-- > 0 ? Promise.reject(new Error('no reads now')) : store.findRoom(roomId);
  const messagesAfter: Store['messagesAfter'] = (query) => store.messagesAfter(query);
  const changed = await new Promise<RoomHead>((resolve) => {
    const head: RoomHead = new RoomHead(room, {
      store: { findRoom, messagesAfter },
      patience: { forRooms: NO_PATIENCE, forDms: NO_PATIENCE },
      linesOf: () => [],
      online: () => 0,
      onUntold: () => {
        if (head.frame('inSight')?.includes('"topic":"new"')) resolve(head);
      },
    });
    head.attach({ userId: user.id, onOut: () => {} });
    const change = { roomId: room.id, actorId: user.id, patch: { topic: 'new' }, now: NOW };
    void store.changeRoom(change).then(() => head.announce(room.seq + 1));
  });
  expect(failures).toBeLessThan(0);
  expect(changed.head).toBe(room.seq + 1);
});

it('a head follows on the one before, also where a later change superseded what lay between', async () => {
  const { user, room } = await newUserAndRoom(store);
  const { id: userId } = user;
  await store.append({ roomId: room.id, userId, cid: null, content: 'a text', now: NOW });
  const rows = await store.messagesAfter({ roomId: room.id, seq: room.seq, limit: 1 });
  // The text has changed twice since, and only the second change is left.
  const changed = rows.map((row) => ({ ...row, changedSeq: row.seq + 2 }));
  const frame = await new Promise<string>((resolve) => {
    const head: RoomHead = new RoomHead(
      { ...room, seq: room.seq + 1 },
      {
        store: { findRoom: (roomId) => store.findRoom(roomId), messagesAfter: async () => changed },
        patience: { forRooms: NO_PATIENCE, forDms: NO_PATIENCE },
        linesOf: () => [],
        online: () => 0,
        onUntold: () => resolve(String(head.frame('inSight'))),
      },
    );
    head.announce(room.seq + 3);
  });
  expect(frame).toContain(`"from":${room.seq + 1},"seq":${room.seq + 3}`);
});

it('a room that was deleted meanwhile is in no head', async () => {
  const { user, room } = await newUserAndRoom(store);
  const by = { roomId: room.id, actorId: user.id, now: NOW };
  await store.changeRoom({ ...by, patch: { topic: 'new' } });
  await store.deleteRoom(by);
  const frames: string[] = [];
  let reads = 0;
  const head: RoomHead = new RoomHead(room, {
    store: {
      findRoom: (roomId) => store.findRoom(roomId).finally(() => reads++),
      messagesAfter: (query) => store.messagesAfter(query),
    },
    patience: { forRooms: NO_PATIENCE, forDms: NO_PATIENCE },
    linesOf: () => [],
    online: () => 0,
    onUntold: () => frames.push(String(head.frame('inSight'))),
  });
  head.attach({ userId: user.id, onOut: () => {} });
  head.announce(room.seq + 2);
  // One read for each of the two notices, and what a read has brought is told in the same turn.
  await expect.poll(() => reads).toBe(2);
  await new Promise((resolve) => setImmediate(resolve));
  expect(frames.length).toBeGreaterThan(0);
  expect(frames.filter((frame) => frame.includes('deleted_'))).toEqual([]);
});
