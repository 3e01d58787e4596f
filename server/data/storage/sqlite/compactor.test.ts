import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { DAY, NOW, newUserAndRoom, say } from '../contract/subject.ts';
import { Compactor } from './compactor.ts';
import { makeDurable, openForWriting, pragma, transaction } from './database.ts';
import { describe, type Sqlite } from './driver/driver.ts';
import { ID_GAP, migrate } from './migrate.ts';
import { isMap } from './slack.ts';
import { openSqliteStore } from './sqlite-store.ts';

const TEXTS = 4000;

it('the file becomes shorter after old texts were deleted, while others post, and stays sound', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-compactor-'));
  const file = join(dataDir, 'roomful.db');
  const told: string[] = [];
  try {
    const { store } = await openSqliteStore({
      dataDir,
      onFatal: (error) => expect.unreachable(error.message),
      onProgress: (message) => void told.push(message),
    });
    const { user, room } = await newUserAndRoom(store);
    const at = { roomId: room.id, userId: user.id };
    const old = await say(
      store,
      at,
      Array.from({ length: TEXTS }, (_, index) => `old ${index} `.padEnd(1500, 'x')),
    );
    const fresh: number[] = [];
    for (let first = 0; first < TEXTS; first += 200) {
      const messageIds = old.slice(first, first + 200).map(({ id }) => id);
      await store.pruneTexts({ roomId: room.id, messageIds, now: NOW + 100 * DAY });
    }
    const before = (await stat(file)).size;
    // The eraser works at the same time, and the checkpoint that follows shortens the file.
    while (!told.some((message) => message.includes('gave')) || (await stat(file)).size > before / 2) {
      const [stored] = await say(store, at, [`new ${fresh.length}`]);
      fresh.push(stored?.id ?? 0);
      await sleep(50);
    }
    await store.close();
    const sqlite = openForWriting(file);
    expect(pragma(sqlite, 'integrity_check')).toBe('ok');
    const kept = sqlite.prepare<[], { count: number; texts: number }>(
      "SELECT count(*) AS count, sum(content <> '') AS texts FROM messages WHERE kind = 0",
    );
    expect(kept.get()).toEqual({ count: TEXTS + fresh.length, texts: fresh.length });
    sqlite.close();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

/** A database with texts of these ids, which were deleted, and a compactor that counts its steps. */
async function withDeleted(
  ids: readonly number[],
  body: (under: {
    compactor: Compactor;
    sqlite: Sqlite;
    steps: () => number;
    errors: string[];
  }) => Promise<void>,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-compactor-'));
  const sqlite = openForWriting(join(dataDir, 'roomful.db'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let steps = 0;
  const errors: string[] = [];
  const compactor = new Compactor(open(sqlite), {
    afterStep: () => steps++,
    onProgress: () => undefined,
    onError: (error) => errors.push(describe(error)),
  });
  try {
    const insert = sqlite.prepare(`
      INSERT INTO messages (id, room_id, seq, changed_seq, user_id, content, created_at, deleted_at)
        VALUES (?, 1, ?, ?, 1, '', 0, 1)`);
    transaction(sqlite, () => {
      for (const [index, id] of ids.entries()) insert.run(id, index + 1, index + 1);
    });
    await body({ compactor, sqlite, steps: () => steps, errors });
  } finally {
    compactor.stop();
    vi.useRealTimers();
    sqlite.close();
    await rm(dataDir, { recursive: true });
  }
}

function open(sqlite: Sqlite): Sqlite {
  makeDurable(sqlite);
  migrate(sqlite);
  sqlite.exec('PRAGMA foreign_keys = OFF');
  return sqlite;
}

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

it('a pass goes on while people delete messages, and one more follows for texts that are deleted meanwhile', async () => {
  const [old, later] = [idsFrom(1, 4000), idsFrom(4001, 2000)];
  await withDeleted([...old, ...later], async ({ compactor, steps }) => {
    compactor.afterDeletion(old);
    // Somebody deletes a message at every moment.
    for (let ms = 0; ms < 2500; ms += 10) {
      compactor.afterDeletion();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(steps()).toBe(8);
    compactor.afterDeletion(old);
    await vi.advanceTimersByTimeAsync(2050);
    compactor.afterDeletion(later);
    expect(steps()).toBeLessThan(16);
    await vi.advanceTimersByTimeAsync(5000);
    expect(steps()).toBe(8 + 8 + 4);
  });
});

it('a pass goes on from where an error ended it, with the next deletion', async () => {
  const ids = idsFrom(1, 4000);
  await withDeleted(ids, async ({ compactor, sqlite, steps, errors }) => {
    compactor.afterDeletion(ids);
    await vi.advanceTimersByTimeAsync(2050);
    expect(steps()).toBe(3);
    // Such a step fails as one on a full disk does.
    sqlite.exec('PRAGMA query_only = ON');
    await vi.advanceTimersByTimeAsync(100);
    sqlite.exec('PRAGMA query_only = OFF');
    expect(errors).toEqual([expect.stringContaining('SQLITE_READONLY')]);
    compactor.afterDeletion();
    await vi.advanceTimersByTimeAsync(3000);
    expect(steps()).toBe(8);
  });
});

it('a pass jumps over ids that were never given, such as those after a restore', async () => {
  const ids = [...idsFrom(1, 500), ...idsFrom(ID_GAP, 500)];
  await withDeleted(ids, async ({ compactor, steps }) => {
    compactor.afterDeletion(ids);
    await vi.advanceTimersByTimeAsync(3000);
    expect(steps()).toBe(2);
    compactor.afterDeletion(ids);
    await vi.advanceTimersByTimeAsync(3000);
    expect(steps()).toBe(4);
  });
});

it('the maps of a file are page 2, and the page after all that a map is about', () => {
  const maps = Array.from({ length: 3000 }, (_, page) => page).filter((page) => isMap(page, 4096));
  expect(maps).toEqual([2, 822, 1642, 2462]);
});
