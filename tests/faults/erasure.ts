/** G16 on SQLite: texts are edited and deleted at random, and the files of the database are searched for them. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NOW, newUserAndRoom } from '../../server/data/storage/contract/subject.ts';
import { openForReading } from '../../server/data/storage/sqlite/database.ts';
import { openSqliteStore } from '../../server/data/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { seededRandom } from '../support/random.ts';

const PATIENCE_MS = 120_000;

export interface Erasure {
  /** Texts that were deleted, with their earlier ones. */
  deleted: number;
  /** Those of them that are still in a file. */
  left: string[];
  /** Texts that were not deleted and are in no file. */
  lost: number;
  /** From the last deletion until nothing was left. */
  seconds: number;
}

/** The marks of all texts in it. */
export function marksIn(bytes: string): Set<string> {
  return new Set(bytes.match(/<text [0-9]+ [0-9]+>/g) ?? []);
}

/** The texts that are still in a file of the database. */
function found(dataDir: string, texts: ReadonlySet<string>): string[] {
  const files = readdirSync(dataDir).filter((name) => name.startsWith('roomful.db'));
  const bytes = files.map((name) => readFileSync(join(dataDir, name), 'latin1')).join('\n');
  const marks = marksIn(bytes);
  return [...texts].filter((text) => marks.has(text));
}

/** Texts that were deleted, with their earlier ones, and those that were not. */
export interface Changed {
  roomId: number;
  /** Of all messages. */
  ids: number[];
  deleted: Set<string>;
  kept: Set<string>;
}

/** Posts this number of messages, and edits and deletes some of them. Every text has a mark of its own throughout. */
export async function changeAtRandom(store: Store, seed: number, messages: number): Promise<Changed> {
  const { user, room } = await newUserAndRoom(store);
  const at = { roomId: room.id, userId: user.id, now: NOW };
  const random = seededRandom(seed);
  const revisionsOf = new Map<number, string[]>();
  const posted: number[] = [];
  const deleted = new Set<string>();
  /** Short and long ones, which take pages of their own. Between the marks nothing repeats: nothing is compressed. */
  const textOf = (message: number, revision: number) => {
    const mark = `<text ${message} ${revision}>`;
    const parts = random.next() < 0.1 ? 25 : random.integer(1, 2);
    const letters = () => Array.from({ length: 120 }, () => random.integer(0, 35).toString(36)).join('');
    return { mark, content: Array.from({ length: parts }, () => mark + letters()).join('') };
  };
  for (let message = 0; message < messages; message++) {
    const { mark, content } = textOf(message, 0);
    const said = await store.append({ ...at, cid: null, content });
    assert(said.outcome === 'stored');
    posted.push(said.id);
    revisionsOf.set(said.id, [mark]);
    const ids = [...revisionsOf.keys()];
    const id = ids[random.integer(0, ids.length - 1)] ?? said.id;
    const marks = revisionsOf.get(id) ?? [];
    const target = { roomId: room.id, messageId: id, actorId: user.id, now: NOW };
    if (random.next() < 0.5) {
      const edit = textOf(id, marks.length);
      await store.editMessage({ ...target, content: edit.content, baseRevision: marks.length - 1 });
      marks.push(edit.mark);
    } else if (random.next() < 0.4) {
      await store.deleteMessage(target);
      revisionsOf.delete(id);
      for (const mark of marks) deleted.add(mark);
    }
  }
  return { roomId: room.id, ids: posted, deleted, kept: new Set([...revisionsOf.values()].flat()) };
}

/** On SQLite. */
export async function eraseAtRandom(seed: number, messages: number): Promise<Erasure> {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-erased-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  const { deleted, kept } = await changeAtRandom(store, seed, messages);
  const lost = kept.size - found(dataDir, kept).length;
  const began = performance.now();
  while (found(dataDir, deleted).length > 0 && performance.now() - began < PATIENCE_MS) await sleep(200);
  const seconds = (performance.now() - began) / 1000;
  const left = found(dataDir, deleted);
  await store.close();
  await rm(dataDir, { recursive: true });
  return { deleted: deleted.size, left, lost, seconds };
}

/** A text is deleted while another program has the database open for a read that does not end. */
export async function eraseBesideReader() {
  const dataDir = await mkdtemp(join(tmpdir(), 'roomful-erased-'));
  const onFatal = (error: Error): void => {
    throw error;
  };
  const { store } = await openSqliteStore({ dataDir, onFatal });
  const { user, room } = await newUserAndRoom(store);
  const at = { roomId: room.id, userId: user.id, now: NOW };
  const mark = '<text 1 1>';
  const said = await store.append({ ...at, cid: null, content: mark.repeat(300) });
  assert(said.outcome === 'stored');
  const reader = openForReading(join(dataDir, 'roomful.db'));
  reader.exec('BEGIN; SELECT count(*) FROM messages');
  await store.deleteMessage({ roomId: room.id, messageId: said.id, actorId: user.id, now: NOW });
  // Longer than the server waits before it begins to erase.
  let posted = 0;
  for (; posted < 50; posted++) {
    await store.append({ ...at, cid: null, content: 'another' });
    await sleep(100);
  }
  const isLeft = () => found(dataDir, new Set([mark])).length > 0;
  const leftMeanwhile = isLeft();
  reader.exec('COMMIT');
  reader.close();
  const began = performance.now();
  while (isLeft() && performance.now() - began < PATIENCE_MS) await sleep(100);
  const leftAfter = isLeft();
  await store.close();
  await rm(dataDir, { recursive: true });
  return { posted, leftMeanwhile, leftAfter };
}
