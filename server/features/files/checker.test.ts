import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDiskBlobs, pathOfKey } from '../../data/blobs/disk.ts';
import { Places } from '../../data/blobs/places.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { FileRow } from '../../data/storage/store.ts';
import type { Logger } from '../../platform/log.ts';
import type { CheckReply, CheckTask } from './check-messages.ts';
import { Checker } from './checker.ts';

const FILE = { key: 'abcdefgh', ownerId: 1, place: 'disk', type: 'image/jpeg', roomId: 1 } as FileRow;
const READY: CheckReply = {
  ...{ state: 'ready', size: 3, sha256: '0', kind: 'jpeg', isChanged: true, type: 'image/jpeg' },
  ...{ width: 1, height: 1, frames: 1, durationMs: undefined },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-checker-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

type Answer = (task: CheckTask) => Promise<CheckReply>;

function checkerOf(
  row: FileRow | undefined,
  answer: Answer,
  { error = vi.fn(), settleFile = vi.fn(async () => ({ isSettled: false })), isAlone = true } = {},
): Checker {
  return new Checker({
    store: { settleFile, ownFile: async () => row },
    places: new Places(createDiskBlobs(folder)),
    thread: { check: answer, stop: async () => undefined },
    ...{ bus: {} as Bus, log: { error, warn: error } as unknown as Logger, isAlone },
  });
}

/** A file of three bytes. */
async function write(key: string): Promise<void> {
  const part = await createDiskBlobs(folder).append(key, 0);
  await part.write(new Uint8Array(3));
  await part.sync();
  await part.close();
}

/** Checks a file in place of whose row there is `row` when the thread has answered. */
async function check(row: FileRow | undefined, answer: Answer) {
  await write(FILE.key);
  const error = vi.fn();
  const checker = checkerOf(row, answer, { error });
  checker.add(FILE);
  await checker.settled(FILE.key);
  return { hasBytes: existsSync(pathOfKey(folder, FILE.key)), error };
}

const deleteBytes = () => rm(pathOfKey(folder, FILE.key));
const writeNew = async ({ newPath }: CheckTask): Promise<CheckReply> => {
  await writeFile(newPath, 'new');
  return READY;
};

test('the bytes of a file that was deleted during its check do not come back (G19)', async () => {
  const { hasBytes, error } = await check(undefined, async (task) => {
    await deleteBytes();
    return await writeNew(task);
  });
  expect(hasBytes).toBe(false);
  expect(error).not.toHaveBeenCalled();
});

test('a file that was deleted before its check began is no error', async () => {
  const { error } = await check(undefined, async () => {
    await deleteBytes();
    return { state: 'failed', code: 'ENOENT', message: 'no such file' };
  });
  expect(error).not.toHaveBeenCalled();
});

test('a file that another process has settled keeps its bytes', async () => {
  const { hasBytes } = await check({ ...FILE, state: 'ready' }, writeNew);
  expect(hasBytes).toBe(true);
});

test('a failure of the disk is told while the file is there', async () => {
  const failed = { state: 'failed', code: 'EIO', message: 'broken' } as const;
  const { hasBytes, error } = await check({ ...FILE, state: 'checking' }, async () => failed);
  expect(hasBytes).toBe(true);
  expect(error).toHaveBeenCalledOnce();
});

test('people take turns: a file does not wait for all files of somebody else that came before it', async () => {
  const order: string[] = [];
  const checker = checkerOf(FILE, async ({ path }) => {
    order.push(basename(path));
    return { ...READY, isChanged: false };
  });
  const files = ['ann-1', 'ann-2', 'ann-3', 'bo-1', 'cy-1', 'bo-2'];
  for (const key of files) await write(key);
  for (const key of files) checker.add({ ...FILE, key, ownerId: key.charCodeAt(0) });
  await Promise.all(files.map((key) => checker.settled(key)));
  expect(order).toEqual(['ann-1', 'bo-1', 'cy-1', 'ann-2', 'bo-2', 'ann-3']);
});

test.each([
  ['a stop waits for checks that another process would take over only after 30 s', false, 2],
  ['a stop of the only process leaves checks to its next start', true, 0],
])('%s', async (_, isAlone, settled) => {
  const settleFile = vi.fn(async () => ({ isSettled: true }));
  const answer = async () => await sleep(50, { ...READY, isChanged: false });
  const checker = checkerOf(FILE, answer, { settleFile, isAlone });
  const files = ['ann-1', 'bo-1'].map((key) => ({ ...FILE, key }));
  for (const { key } of files) await write(key);
  for (const file of files) checker.add(file);
  await checker.stop();
  expect(settleFile).toHaveBeenCalledTimes(settled);
});

test('a check that takes long does not hold up a stop', async () => {
  await write(FILE.key);
  const checker = checkerOf(FILE, () => new Promise(() => undefined), { isAlone: false });
  checker.add(FILE);
  await checker.stop();
  expect(checker.has(FILE.key)).toBe(false);
});
