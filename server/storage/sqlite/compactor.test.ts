import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { DAY, NOW, newUserAndRoom, say } from '../contract/subject.ts';
import { openForWriting, pragma } from './database.ts';
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

it('the maps of a file are page 2, and the page after all that a map is about', () => {
  const maps = Array.from({ length: 3000 }, (_, page) => page).filter((page) => isMap(page, 4096));
  expect(maps).toEqual([2, 822, 1642, 2462]);
});
