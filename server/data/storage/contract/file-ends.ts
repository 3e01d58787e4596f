import { describe, expect, it } from 'vitest';
import { complete, create, newKey, newPlace } from './file-stage.ts';
import { type ContractPart, DAY, NOW, newUser } from './subject.ts';

const HASH = 'a'.repeat(64);

/** What becomes of files. */
export const describeFileEnds: ContractPart = (subject) => {
  describe('settleFile', () => {
    const ready = {
      state: 'ready',
      size: 90,
      type: 'image/png',
      sha256: HASH,
      info: '{"kind":"png"}',
    } as const;

    it('a file is ready once, with the size and the type that its bytes have', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at);
      expect(await store.settleFile({ key, roomId: at.roomId, result: ready })).toEqual({ isSettled: false });
      const { bytes } = await store.fileCounts();
      await complete(store, key);
      expect(await store.settleFile({ key, roomId: at.roomId, result: ready })).toEqual({ isSettled: true });
      expect(await store.settleFile({ key, roomId: at.roomId, result: ready })).toEqual({ isSettled: false });
      expect(await store.ownFile({ key, ownerId: at.ownerId })).toMatchObject({ ...ready, received: 90 });
      expect((await store.fileCounts()).bytes).toBe(bytes - 10);
    });

    it('a refused file has no bytes, and counts none', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const { bytes, refused } = await store.fileCounts();
      const key = await create(store, at);
      await complete(store, key);
      const result = { state: 'refused', info: '{"reason":"unreadable"}' } as const;
      expect(await store.settleFile({ key, roomId: at.roomId, result })).toEqual({ isSettled: true });
      expect(await store.ownFile({ key, ownerId: at.ownerId })).toMatchObject({
        ...result,
        size: 0,
        sha256: null,
      });
      expect(await store.fileCounts()).toMatchObject({ bytes, refused: refused + 1 });
    });

    it('a file that is deleted while it is checked stays deleted', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at);
      await complete(store, key);
      await store.deleteUpload({ key, ownerId: at.ownerId });
      expect(await store.settleFile({ key, roomId: at.roomId, result: ready })).toEqual({ isSettled: false });
    });
  });

  describe('the end of a file', () => {
    it('deleteUpload is for the owner, once; what is deleted counts until it is forgotten', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const other = await newUser(store);
      const before = await store.fileCounts();
      const key = await create(store, at);
      expect(await store.deleteUpload({ key, ownerId: other.id })).toBe(false);
      await store.forgetFiles({ keys: [key] });
      expect(await store.ownFile({ key, ownerId: at.ownerId })).toMatchObject({ key });
      expect(await store.deleteUpload({ key, ownerId: at.ownerId })).toBe(true);
      expect(await store.deleteUpload({ key, ownerId: at.ownerId })).toBe(false);
      expect(await store.ownFile({ key, ownerId: at.ownerId })).toBeUndefined();
      expect((await store.fileCounts()).bytes).toBe(before.bytes + 100);
      expect((await store.filesDue({ now: NOW, limit: 1000 })).deleted).toContain(key);
      await store.forgetFiles({ keys: [key, key, newKey()] });
      await store.forgetFiles({ keys: [key] });
      await store.forgetFiles({ keys: [] });
      expect(await store.fileCounts()).toEqual(before);
      expect((await store.filesDue({ now: NOW, limit: 1000 })).deleted).not.toContain(key);
    });

    it('expireFiles marks what has expired, the oldest first', async () => {
      const { store, ...at } = await newPlace(subject().store);
      // Before all that other tests have made.
      const [first, second, third] = [
        await create(store, at, { expiresAt: NOW - 20 * DAY }),
        await create(store, at, { expiresAt: NOW - 19 * DAY }),
        await create(store, at, { expiresAt: NOW - 18 * DAY }),
      ];
      const now = NOW - 19 * DAY;
      expect((await store.filesDue({ now, limit: 10 })).expiredAt).toBe(NOW - 20 * DAY);
      expect(await store.expireFiles({ now, limit: 1 })).toBe(1);
      expect((await store.filesDue({ now, limit: 10 })).expiredAt).toBe(NOW - 19 * DAY);
      expect(await store.expireFiles({ now, limit: 10 })).toBe(1);
      expect(await store.expireFiles({ now, limit: 10 })).toBe(0);
      expect((await store.filesDue({ now, limit: 10 })).expiredAt).toBeNull();
      const states = [first, second, third].map((key) => store.ownFile({ key, ownerId: at.ownerId }));
      expect((await Promise.all(states)).map((row) => row?.state)).toEqual([
        undefined,
        undefined,
        'uploading',
      ]);
    });

    it('filesDue has what waits for its check', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const [waiting, open] = [await create(store, at), await create(store, at)];
      await complete(store, waiting);
      const { hasFiles, checking } = await store.filesDue({ now: NOW, limit: 1000 });
      const keys = checking.map(({ key }) => key);
      expect(hasFiles).toBe(true);
      expect(keys).toContain(waiting);
      expect(keys).not.toContain(open);
      expect((await store.filesDue({ now: NOW, limit: 1 })).checking).toHaveLength(1);
    });

    it('what a removed account has not sent is deleted with it', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const person = await newUser(store);
      const keys = [await create(store, { ...at, ownerId: person.id }), await create(store, at)];
      await store.removeUser({ actorId: null, userId: person.id, deletesTexts: false, reason: '', now: NOW });
      const { deleted } = await store.filesDue({ now: NOW, limit: 1000 });
      expect(keys.map((key) => deleted.includes(key))).toEqual([true, false]);
    });
  });

  it('a file that is ready is moved from the place where it is, and no other one is', async () => {
    const { store, ...at } = await newPlace(subject().store);
    const key = await create(store, at);
    const move = { key, from: 'disk', to: 's3' } as const;
    expect(await store.moveFile(move)).toBe(false);
    await complete(store, key);
    expect(await store.moveFile(move)).toBe(false);
    const result = { state: 'ready', size: 90, type: 'x/y', sha256: 'ab', info: '{}' } as const;
    await store.settleFile({ key, roomId: at.roomId, result });
    expect(await store.moveFile({ ...move, from: 's3', to: 'disk' })).toBe(false);
    expect([await store.moveFile(move), await store.moveFile(move)]).toEqual([true, false]);
    expect(await store.ownFile({ key, ownerId: at.ownerId })).toMatchObject({ place: 's3', state: 'ready' });
  });

  it('all files are listed by their keys, in pages, and known keys are told from others', async () => {
    const { store, ...at } = await newPlace(subject().store);
    const keys = [];
    for (let count = 0; count < 4; count++) keys.push(await create(store, at));
    const found: string[] = [];
    for (let after = ''; ; ) {
      const page = await store.filesByKey({ after, limit: 3 });
      found.push(...page.map(({ key }) => key));
      if (page.length < 3) break;
      after = found.at(-1) ?? '';
    }
    expect(found).toEqual([...found].sort());
    expect(new Set(found)).toEqual(new Set([...found, ...keys]));
    expect((await store.knownFiles({ keys: [...keys, newKey()] })).sort()).toEqual([...keys].sort());
    expect(await store.knownFiles({ keys: [] })).toEqual([]);
  });
};
