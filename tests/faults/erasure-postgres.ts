/** G16 on PostgreSQL: texts are edited and deleted at random, and all files of the server are searched for them. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import type { MessageRow, Store } from '../../server/data/storage/store.ts';
import { addressOf, PostgresServer } from '../support/postgres.ts';
import { type Changed, changeAtRandom, marksIn } from './erasure.ts';

const READ_AT_ONCE = 200;
const ANALYZE_MS = 500;
/** What the operator runs (docs/OPERATIONS.md). */
const VACUUM = 'VACUUM FULL messages, message_revisions';
/** It has every change until its segments are written anew. */
const WRITE_AHEAD_LOG = 'pg_wal';

export interface PostgresErasure {
  deleted: number;
  /** The deleted texts that a read of the store still returns. */
  read: string[];
  /** How many of them are in files before the vacuum. */
  before: number;
  /** The files that have some of them after it. */
  left: string[];
  /** Texts that were not deleted and are in no file. */
  lost: number;
}

/** Posts this number of messages. The planner's statistics are gathered meanwhile, as autovacuum does. */
export async function eraseOnPostgres(seed: number, messages: number): Promise<PostgresErasure> {
  const dir = await mkdtemp(join(tmpdir(), 'roomful-erased-'));
  const server = await PostgresServer.startOwn({ dir });
  try {
    const url = await server.createDatabase();
    const { store } = await openPostgresStore({ address: addressOf(url), isShared: false, onFatal });
    const gathering = setInterval(() => {
      server.run('ANALYZE messages, message_revisions', url).catch(() => undefined);
    }, ANALYZE_MS);
    const changed = await changeAtRandom(store, seed, messages).finally(() => clearInterval(gathering));
    const { deleted, kept } = changed;
    const read = await readAll(store, changed);
    await store.close();
    await server.run('CHECKPOINT', url);
    const before = [...filesWith(dir, deleted).values()].reduce((sum, texts) => sum + texts.length, 0);
    await server.run(VACUUM, url);
    await server.run('CHECKPOINT', url);
    const found = filesWith(dir, kept);
    const shown = new Set([...found.values()].flat());
    return {
      deleted: deleted.size,
      read: [...read].filter((mark) => deleted.has(mark)),
      before,
      left: [...filesWith(dir, deleted).keys()],
      lost: kept.size - shown.size,
    };
  } finally {
    await server[Symbol.asyncDispose]();
    await rm(dir, { recursive: true, force: true });
  }
}

/** The marks in all that is read of the room: pages, batches, quoted messages, earlier texts. */
async function readAll(store: Store, { roomId, ids }: Changed): Promise<Set<string>> {
  const all: unknown[] = [];
  for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
    const some = ids.slice(from, from + READ_AT_ONCE);
    const limit = READ_AT_ONCE;
    all.push(await store.history({ roomId, limit, afterId: (some[0] ?? 0) - 1, withNotices: true }));
    all.push(await store.messagesById({ roomId, ids: some }));
    all.push(await Promise.all(some.map((messageId) => store.revisions({ roomId, messageId }))));
  }
  for (let seq: number | undefined = 0; seq !== undefined; ) {
    const batch: MessageRow[] = await store.messagesAfter({ roomId, seq, limit: READ_AT_ONCE });
    all.push(batch);
    seq = batch.at(-1)?.changedSeq;
  }
  return marksIn(JSON.stringify(all));
}

/** The files that have some of these texts, and which. */
function filesWith(dir: string, texts: Changed['deleted']): Map<string, string[]> {
  const data = join(dir, 'data');
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const found = new Map<string, string[]>();
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    const name = relative(data, path);
    if (name.startsWith(WRITE_AHEAD_LOG)) continue;
    const here = [...marksIn(readFileSync(path, 'latin1'))].filter((mark) => texts.has(mark));
    if (here.length > 0) found.set(name, here);
  }
  return found;
}

function onFatal(error: Error): never {
  throw error;
}
