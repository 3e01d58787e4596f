import { copyFile, mkdir, mkdtemp, open as openFile, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRoom, newUserAndRoom, say, texts, wholeRoom } from '../contract/subject.ts';
import type { Store } from '../store.ts';
import { openForReading, openForWriting } from './database.ts';
import { Health } from './health.ts';
import { openSqliteStore } from './sqlite-store.ts';

let home: string;
let dataDir: string;
let warnings: string[];
let fatal: Error[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'roomful-trouble-'));
  dataDir = join(home, 'data');
  warnings = [];
  fatal = [];
});
afterEach(async () => await rm(home, { recursive: true }));

async function open(at = dataDir): Promise<Store> {
  const options = {
    onFatal: (error: Error) => void fatal.push(error),
    onWarning: (text: string) => void warnings.push(text),
  };
  return (await openSqliteStore({ dataDir: at, ...options })).store;
}

/** Changes one byte. */
async function damage(file: string, at: number): Promise<void> {
  const handle = await openFile(file, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, at);
  await handle.write(Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, at);
  await handle.close();
}

/** A room with `count` messages, in a store that is closed again. */
async function leaveMessages(count: number): Promise<number> {
  const store = await open();
  const { user, room } = await newUserAndRoom(store);
  await say(store, { roomId: room.id, userId: user.id }, texts(count));
  await store.close();
  return room.id;
}

describe('a damaged database', () => {
  it('is not ready, although small writes succeed, and the log says so once', async () => {
    const roomId = await leaveMessages(5000);
    const file = join(dataDir, 'roomful.db');
    const { size } = await stat(file);
    // The first byte of a page says of what kind it is; the pages of the schema and of meta come first.
    for (let page = 120; page * 4096 < size; page++) await damage(file, page * 4096);
    const store = await open();
    await store.check();
    for (let times = 0; times < 2; times++)
      await expect(wholeRoom(store, roomId)).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(store.check()).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(warnings).toEqual([
      expect.stringMatching(/^the database is damaged: SQLITE_CORRUPT.*restore a backup/),
    ]);
    await store.close();
  });
});

describe('a data folder that was used before', () => {
  it.each(['roomful.lock', 'jwt-secret'])(
    'with %s and no database starts anew, with a warning',
    async (name) => {
      await mkdir(dataDir);
      await writeFile(join(dataDir, name), '');
      await (await open()).close();
      expect(warnings).toEqual([expect.stringMatching(/its database is missing, so an empty one is made/)]);
    },
  );

  it('a new folder, and one with its database, are no reason to warn', async () => {
    await leaveMessages(1);
    await leaveMessages(1);
    expect(warnings).toEqual([]);
  });
});

describe('files that go away while they are in use', () => {
  it.each(['roomful.db', 'roomful.db-wal', ''])(
    'nothing is stored any more, and the process must end: %s',
    async (name) => {
      const store = await open();
      const { user, room } = await newUserAndRoom(store);
      await rm(join(dataDir, name), { recursive: true });
      let isSettled = false;
      const append = store.append({ roomId: room.id, userId: user.id, cid: null, content: 'lost', now: 0 });
      void append.finally(() => {
        isSettled = true;
      });
      while (fatal.length === 0) await new Promise(setImmediate);
      expect(fatal[0]?.message).toMatch(/was deleted, moved or replaced while Roomful was using it/);
      expect(isSettled).toBe(false);
    },
  );

  it('a database that was replaced by a copy of itself is another file', async () => {
    const store = await open();
    const file = join(dataDir, 'roomful.db');
    await copyFile(file, join(home, 'copy'));
    await rm(file);
    await copyFile(join(home, 'copy'), file);
    void store.check();
    while (fatal.length === 0) await new Promise(setImmediate);
    expect(fatal[0]?.message).toContain(file);
  });
});

describe('the write-ahead log of a killed process', () => {
  /** What a process leaves that is killed after ten commits. */
  async function leaveLog(): Promise<string> {
    const store = await open();
    const { user, room } = await newUserAndRoom(store);
    for (const text of texts(10)) await say(store, { roomId: room.id, userId: user.id }, [text]);
    const copy = join(home, 'copy');
    await mkdir(copy);
    for (const name of ['roomful.db', 'roomful.db-wal'])
      await copyFile(join(dataDir, name), join(copy, name));
    await store.close();
    return copy;
  }

  it('a sound one is recovered without a word', async () => {
    const store = await open(await leaveLog());
    const [room] = await store.listRooms({ limit: 1, userId: 1 });
    expect(await wholeRoom(store, room?.id ?? 0)).toHaveLength(10);
    expect(warnings).toEqual([]);
    await store.close();
  });

  it('of a damaged one the log says how many commits are lost', async () => {
    const copy = await leaveLog();
    const log = join(copy, 'roomful.db-wal');
    const { length } = await readFile(log);
    await damage(log, length - 4096 * 5 - 100);
    const store = await open(copy);
    const [room] = await store.listRooms({ limit: 1, userId: 1 });
    const kept = (await wholeRoom(store, room?.id ?? 0)).length;
    expect(kept).toBeLessThan(10);
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`is damaged: ${10 - kept} commits in it cannot be read`)),
    ]);
    await store.close();
  });
});

it('a log that cannot be emptied because another program reads is reported at 64 MiB', async () => {
  const store = await open();
  const { user, room } = await newUserAndRoom(store);
  const reader = openForReading(join(dataDir, 'roomful.db'));
  reader.exec('BEGIN; SELECT count(*) FROM rooms');
  const content = 'x'.repeat(100_000);
  while (warnings.length === 0)
    await say(store, { roomId: room.id, userId: user.id }, Array(20).fill(content));
  expect(warnings).toEqual([
    expect.stringMatching(/^the write-ahead log has grown to \d+ MiB, because another program/),
  ]);
  reader.close();
  await store.close();
});

it('a database whose epoch was removed goes on with ids that were never given', async () => {
  await leaveMessages(3);
  const sqlite = openForWriting(join(dataDir, 'roomful.db'));
  sqlite.exec("DELETE FROM meta WHERE key = 'epoch'");
  sqlite.close();
  const store = await open();
  const { user, room } = await newUserAndRoom(store);
  const [message] = await say(store, { roomId: room.id, userId: user.id }, ['hello']);
  for (const { id } of [user, room, message ?? { id: 0 }]) expect(id).toBeGreaterThan(1_000_000_000);
  expect((await newRoom(store, user.id)).id).toBe(room.id + 1);
  await store.close();
});

describe('the health of the database', () => {
  it('is bad after a write that a full disk refused, until a message is stored', () => {
    const health = new Health(() => undefined);
    expect(health.complaint()).toBeUndefined();
    health.failed({ code: 'SQLITE_FULL', error: 'full' });
    expect(health.complaint()).toBe('the disk is full');
    health.stored();
    expect(health.complaint()).toBeUndefined();
    health.failed({ code: 'SQLITE_ERROR', error: 'no such table' });
    expect(health.complaint()).toBeUndefined();
  });
});
