import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { create, newPicture, newPlace } from './file-stage.ts';
import { type ContractPart, DAY, NOW } from './subject.ts';

export const describePictures: ContractPart = (subject) => {
  const seenBy = (store: Store, key: string, userId: number) => store.servedFile({ key, userId, now: NOW });

  describe('a picture of a person', () => {
    it('is served to everybody from the moment that the profile has it; the one before is deleted', async () => {
      const { store, ownerId: userId } = await newPlace(subject().store);
      const { ownerId: other } = await newPlace(store);
      const first = await newPicture(store, userId);
      expect(await seenBy(store, first, userId)).toBeUndefined();
      const changed = await store.changeProfile({ userId, avatarKey: first });
      expect(changed).toMatchObject({ isShown: true, profile: { avatarKey: first } });
      expect(await seenBy(store, first, other)).toMatchObject({ key: first, expiresAt: null });
      expect(await store.changeProfile({ userId, avatarKey: first })).toMatchObject({ isShown: false });

      const second = await newPicture(store, userId);
      await store.changeProfile({ userId, avatarKey: second });
      expect(await seenBy(store, first, other)).toBeUndefined();
      expect((await store.filesDue({ now: NOW, limit: 100 })).deleted).toContain(first);
      await store.changeProfile({ userId, avatarKey: null });
      expect(await seenBy(store, second, other)).toBeUndefined();
      expect((await store.profiles([userId]))[0]).toMatchObject({ avatarKey: null });
    });

    it('is one that this person uploaded for it, that is ready, and that nothing has', async () => {
      const { store, ownerId: userId } = await newPlace(subject().store);
      const { ownerId: other, roomId } = await newPlace(store);
      const unchecked = await create(store, { ownerId: userId, roomId }, { purpose: 'avatar', roomId: null });
      const had = await newPicture(store, userId);
      await store.changeProfile({ userId, avatarKey: had });
      const keys = [
        unchecked,
        await newPicture(store, other),
        await newPicture(store, userId, { purpose: 'emoji' }),
        await newPicture(store, userId, { expiresAt: NOW + DAY, purpose: 'message' }),
        'A'.repeat(22),
      ];
      for (const key of keys) {
        expect(await store.changeProfile({ userId, avatarKey: key })).toBeUndefined();
        expect(await seenBy(store, key, userId)).toBeUndefined();
      }
      expect(await seenBy(store, had, other)).toMatchObject({ key: had });
    });

    it('goes with the account', async () => {
      const { store, ownerId: userId } = await newPlace(subject().store);
      const { ownerId: other } = await newPlace(store);
      const key = await newPicture(store, userId);
      await store.changeProfile({ userId, avatarKey: key });
      await store.removeUser({ actorId: null, userId, deletesTexts: false, reason: '', now: NOW });
      expect(await seenBy(store, key, other)).toBeUndefined();
      expect((await store.profiles([userId]))[0]).toMatchObject({ avatarKey: null });
    });
  });
};
