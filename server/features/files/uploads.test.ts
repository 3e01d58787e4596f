import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDiskBlobs, pathOfKey } from '../../data/blobs/disk.ts';
import { Places } from '../../data/blobs/places.ts';
import type { FileRow } from '../../data/storage/store.ts';
import { DiskSpace } from './disk-space.ts';
import { type Incoming, Uploads } from './uploads.ts';

const FILE = {
  ...{ key: 'abcdefgh', ownerId: 1, place: 'disk', state: 'uploading', size: 6, received: 0 },
  expiresAt: Number.POSITIVE_INFINITY,
} as FileRow;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-uploads-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

/** Appends bytes, during which another process does something: `row` is what it leaves. */
async function append(bytes: number, row: FileRow | undefined) {
  const places = new Places(createDiskBlobs(folder));
  let isDone = false;
  const uploads = new Uploads({
    store: {
      createFile: async () => ({ outcome: 'created' }),
      advanceFile: async () => undefined,
      ownFile: async () => (isDone ? row : FILE),
      deleteUpload: async () => true,
    },
    ...{ places, space: new DiskSpace(places.current, 1e9), fileBytes: 1e6, userBytes: 1e6, now: Date.now },
    ...{ onComplete() {}, onBegun() {}, onDeleted() {} },
  });
  const chunks = (async function* () {
    yield new Uint8Array(bytes);
    isDone = true;
    if (!row && bytes === FILE.size) await places.delete(FILE.key);
  })();
  const incoming: Incoming = { chunks, length: bytes, cut() {}, mustBeSignedIn() {} };
  const code = await uploads.append(FILE.key, FILE.ownerId, 0, incoming).then(
    () => 'appended',
    (error) => error.code,
  );
  return { code, hasBytes: existsSync(pathOfKey(folder, FILE.key)) };
}

test.each([
  ['a', 3],
  ['the last', 6],
])('of an upload that was deleted while %s part of it came no bytes stay (G19)', async (_, bytes) => {
  expect(await append(bytes, undefined)).toEqual({ code: 'file_not_found', hasBytes: false });
});

test('an upload that another process has taken on keeps its bytes', async () => {
  expect(await append(3, { ...FILE, received: 3 })).toEqual({ code: 'upload_offset', hasBytes: true });
});
