/** Deleting old messages, and giving the disk back what they took, while others post. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryBus } from '../../server/data/bus/memory.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import { KeepLess } from '../../server/features/administration/keep-less.ts';
import { insertMessages, insertRooms, insertUser, withDatabase } from '../database.ts';
import { percentile } from '../statistics.ts';
import { count, decimal } from '../table.ts';
import type { Bench, Result } from './measure.ts';

const ROOMS = 20;
const DAY_MS = 86_400_000;
/** Of the texts, beside what is there. */
const POSTS_PER_SECOND = 50;
const REST_MS = 20_000;
const TEXT =
  ' and what a person adds to it, so that the text is as long as people write on average, all in all';

interface Phase {
  name: string;
  seconds: number;
  acks: number[];
  bytes: number;
}

export async function measureRetention(bench: Bench): Promise<Result> {
  const messages = Math.min(...bench.options.history);
  const dataDir = mkdtempSync(join(tmpdir(), 'roomful-bench-'));
  try {
    const { rooms, userId } = await fill(dataDir, messages, bench);
    const phases = await measure(dataDir, { rooms, userId }, bench);
    return {
      title: 'Deleting old messages',
      note:
        `${count(messages)} messages in ${ROOMS} rooms on SQLite, half of them old. ${POSTS_PER_SECOND} messages a second ` +
        'are posted meanwhile; an ack is the time until one is durable.',
      table: {
        head: ['while', 'seconds', 'acks', 'p50 ms', 'p99 ms', 'longest ms', 'file MiB at the end'],
        rows: phases.map(({ name, seconds, acks, bytes }) => [
          name,
          decimal(seconds),
          count(acks.length),
          decimal(percentile(acks, 0.5)),
          decimal(percentile(acks, 0.99)),
          decimal(Math.max(...acks)),
          decimal(bytes / 2 ** 20),
        ]),
      },
      data: phases,
    };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, messages: number, { progress }: Bench) {
  await (await open(dataDir)).store.close();
  progress(`retention: ${messages} messages are inserted`);
  return withDatabase(dataDir, (sqlite) => {
    const userId = insertUser(sqlite);
    const rooms = insertRooms(sqlite, userId, ROOMS);
    insertMessages(sqlite, { userId, rooms, from: 0, to: messages });
    // One second apart, the latest of the older half 400 days ago.
    const half = messages / 2;
    const shift = Date.now() - 400 * DAY_MS - half * 1000;
    sqlite
      .prepare(
        `UPDATE messages SET content = content || ?, cid = 'a message of one device, number ' || id,
          created_at = created_at + CASE WHEN created_at < ? THEN ? ELSE ? END`,
      )
      .run(TEXT, half * 1000, shift, shift + 390 * DAY_MS);
    sqlite.exec(
      'INSERT INTO members (room_id, user_id, joined_at, user_seq) SELECT id, owner_id, 0, id FROM rooms WHERE true ON CONFLICT DO NOTHING; UPDATE rooms SET last_at = 0',
    );
    return { rooms, userId };
  });
}

async function measure(
  dataDir: string,
  { rooms, userId }: { rooms: number[]; userId: number },
  { progress }: Bench,
): Promise<Phase[]> {
  let isGivingBack = true;
  const { store } = await open(dataDir, (message) => {
    progress(`retention: ${message}`);
    if (message.includes('gave')) isGivingBack = false;
  });
  const size = () => statSync(join(dataDir, 'roomful.db')).size;
  const post = (index: number) =>
    store.append({
      ...{ roomId: rooms[index % ROOMS] ?? 0, userId, cid: `new ${index}`, content: 'new', now: Date.now() },
    });
  let posted = 0;
  const phase = async (name: string, work: () => Promise<unknown>): Promise<Phase> => {
    progress(`retention: ${name}`);
    const acks: number[] = [];
    let isOver = false;
    const begunAt = performance.now();
    const posting = (async () => {
      const waiting: Promise<void>[] = [];
      while (!isOver) {
        const at = performance.now();
        waiting.push(
          post(posted++).then((stored) => {
            if (stored.outcome !== 'stored') throw new Error(`a message was not stored: ${stored.outcome}`);
            acks.push(performance.now() - at);
          }),
        );
        await sleep(1000 / POSTS_PER_SECOND);
      }
      await Promise.all(waiting);
    })();
    await work();
    isOver = true;
    await posting;
    return { name, seconds: (performance.now() - begunAt) / 1000, acks, bytes: size() };
  };
  const keepLess = new KeepLess({
    ...{ store, bus: createMemoryBus(), now: Date.now, keepMessagesDays: 365, keepAuditDays: undefined },
  });
  const phases = [await phase('nothing else', () => sleep(REST_MS))];
  phases.push(await phase('the older half is deleted', () => keepLess.run()));
  phases.push(
    await phase('the rest goes back to the disk', async () => {
      const until = performance.now() + 600_000;
      while (isGivingBack && performance.now() < until) await sleep(200);
      // The file is shortened by the next checkpoint.
      await sleep(3000);
    }),
  );
  await store.close();
  return phases;
}

function open(dataDir: string, onProgress: (message: string) => void = () => undefined) {
  return openSqliteStore({
    dataDir,
    onProgress,
    onFatal(error) {
      throw error;
    },
  });
}
