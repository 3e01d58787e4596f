import { describe, expect, it } from 'vitest';
import type { NewFile, Store } from '../store.ts';
import { type At, complete, create, fileOf, LIMITS, newKey, newPlace } from './file-stage.ts';
import { type ContractPart, DAY, HOSTILE_TEXTS, NOW, newPrivateRoom, newUser } from './subject.ts';

export const describeFiles: ContractPart = (subject) => {
  async function outcomeOf(store: Store, at: At, change: Partial<NewFile> = {}) {
    return (await store.createFile(fileOf(at, change))).outcome;
  }

  describe('createFile', () => {
    it('keeps what was said of the file, literally; only its owner sees it', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const other = await newUser(store);
      for (const [index, text] of HOSTILE_TEXTS.slice(0, 4).entries()) {
        const file = fileOf(at, { name: text, type: text, info: JSON.stringify({ alt: text }), size: index });
        expect(await store.createFile(file)).toEqual({ outcome: 'created' });
        const { limits: _, now, ...facts } = file;
        const row = await store.ownFile({ key: file.key, ownerId: at.ownerId });
        expect(row).toMatchObject({
          ...facts,
          createdAt: now,
          state: 'uploading',
          received: 0,
          messageId: null,
        });
        expect(await store.ownFile({ key: file.key, ownerId: other.id })).toBeUndefined();
      }
    });

    it('judges whether the owner may post there', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const stranger = await newUser(store);
      const hidden = await newPrivateRoom(store, at.ownerId);
      expect(await outcomeOf(store, { ownerId: stranger.id, roomId: hidden.id })).toBe('room_not_found');
      expect(await outcomeOf(store, { ownerId: stranger.id, roomId: 2 ** 40 })).toBe('room_not_found');
      await store.mute({
        ...at,
        actorId: at.ownerId,
        userId: stranger.id,
        until: NOW + DAY,
        reason: '',
        now: NOW,
      });
      await store.joinRoom({ roomId: at.roomId, userId: stranger.id, now: NOW });
      await store.mute({
        ...at,
        actorId: at.ownerId,
        userId: stranger.id,
        until: NOW + DAY,
        reason: '',
        now: NOW,
      });
      expect(await outcomeOf(store, { ownerId: stranger.id, roomId: at.roomId })).toBe('not_allowed');
      await store.setSuspended({ actorId: null, userId: stranger.id, suspended: true, reason: '', now: NOW });
      expect(await outcomeOf(store, { ownerId: stranger.id, roomId: at.roomId })).toBe('user_not_found');
    });

    it('a preview is of an unattached file of the same owner in the same room', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const other = await newUser(store);
      await store.joinRoom({ roomId: at.roomId, userId: other.id, now: NOW });
      const ofKey = await create(store, at);
      const preview = { purpose: 'preview', ofKey } as const;
      await create(store, at, preview);
      const elsewhere = await newPrivateRoom(store, at.ownerId);
      expect(await outcomeOf(store, { ...at, ownerId: other.id }, preview)).toBe('file_not_found');
      expect(await outcomeOf(store, { ...at, roomId: elsewhere.id }, preview)).toBe('file_not_found');
      expect(await outcomeOf(store, at, { ...preview, ofKey: newKey() })).toBe('file_not_found');
      await store.deleteUpload({ key: ofKey, ownerId: at.ownerId });
      expect(await outcomeOf(store, at, preview)).toBe('file_not_found');
    });

    it('a preview is deleted with the upload that it is of, and takes no place of the unsent files then', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const limits = { ...LIMITS, unattached: 2 };
      const ofKey = await create(store, at, { limits });
      const preview = await create(store, at, { purpose: 'preview', ofKey, limits });
      expect(await outcomeOf(store, at, { limits })).toBe('too_many');
      expect(await store.deleteUpload({ key: ofKey, ownerId: at.ownerId })).toBe(true);
      expect(await store.ownFile({ key: preview, ownerId: at.ownerId })).toBeUndefined();
      expect(await outcomeOf(store, at, { limits })).toBe('created');
    });

    it('of 50 racers not one more than the quota of the user allows is created', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const limits = { ...LIMITS, userBytes: 1000, open: 100 };
      const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(store, at, { limits })));
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(10);
      expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(40);
    });

    it('of 50 racers of 10 people not one more than the quota of the server allows is created', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const people = await Promise.all(Array.from({ length: 10 }, () => newUser(store)));
      const { bytes, files } = await store.fileCounts();
      const limits = { ...LIMITS, totalBytes: bytes + 750, open: 100 };
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          outcomeOf(store, { ...at, ownerId: people[index % 10]?.id ?? 0 }, { limits }),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(7);
      expect(outcomes.filter((outcome) => outcome === 'no_space')).toHaveLength(43);
      expect(await store.fileCounts()).toMatchObject({ bytes: bytes + 700, files: files + 7 });
    });

    it('at 4 open uploads, or 60 files that are not attached, there is no further one; expired ones do not count', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const limits = { ...LIMITS, open: 4, unattached: 6 };
      const keys = [];
      for (let count = 0; count < 4; count++) keys.push(await create(store, at, { limits }));
      expect(await outcomeOf(store, at, { limits })).toBe('too_many');
      for (const key of keys.slice(0, 2)) await complete(store, key);
      for (let count = 0; count < 2; count++) keys.push(await create(store, at, { limits }));
      for (const key of keys.slice(2)) await complete(store, key);
      expect(await outcomeOf(store, at, { limits })).toBe('too_many');
      await store.deleteUpload({ key: keys[0] ?? '', ownerId: at.ownerId });
      await create(store, at, { limits });
      expect(await outcomeOf(store, at, { limits })).toBe('too_many');
      const later = { now: NOW + DAY, expiresAt: NOW + 2 * DAY };
      expect(await outcomeOf(store, at, { limits, ...later })).toBe('created');
    });
  });

  describe('advanceFile', () => {
    it('moves an upload on from where it is, and from nowhere else', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at);
      const advance = (from: number, to: number, expiresAt = NOW + 2 * DAY) =>
        store.advanceFile({ key, from, to, expiresAt });
      expect(await advance(0, 40)).toMatchObject({
        key,
        received: 40,
        state: 'uploading',
        expiresAt: NOW + 2 * DAY,
      });
      for (const [from, to] of [
        [0, 40],
        [41, 50],
        [40, 101],
      ])
        expect(await advance(from ?? 0, to ?? 0)).toBeUndefined();
      expect(await advance(40, 100)).toMatchObject({ received: 100, state: 'checking' });
      expect(await advance(100, 100)).toBeUndefined();
      await subject().reopen();
      const row = await subject().store.ownFile({ key, ownerId: at.ownerId });
      expect(row).toMatchObject({ received: 100, state: 'checking' });
    });

    it('of 20 racers from one offset one gets it', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at);
      const racers = Array.from({ length: 20 }, (_, index) =>
        store.advanceFile({ key, from: 0, to: index + 1, expiresAt: NOW + DAY }),
      );
      expect((await Promise.all(racers)).filter((row) => row !== undefined)).toHaveLength(1);
    });

    it('an empty file is complete with its first step', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at, { size: 0 });
      expect(await store.advanceFile({ key, from: 0, to: 0, expiresAt: NOW + DAY })).toMatchObject({
        state: 'checking',
      });
    });

    it('a deleted upload does not go on', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await create(store, at);
      expect(await store.deleteUpload({ key, ownerId: at.ownerId })).toBe(true);
      expect(await store.advanceFile({ key, from: 0, to: 9, expiresAt: NOW + DAY })).toBeUndefined();
    });
  });
};
