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

  describe('the picture of the server', () => {
    it('is served to everybody, signed in or not; the one before is deleted, and the audit log has both', async () => {
      const { store, admin } = await newAdmin();
      const of = { actorId: admin, now: NOW };
      const [first, second] = [await newIcon(store, admin), await newIcon(store, admin)];
      expect(await isPublic(store, first)).toBe(false);
      expect(await store.setServerIcon({ ...of, key: first })).toEqual({ outcome: 'changed' });
      expect(await isPublic(store, first)).toBe(true);
      expect(await store.setServerIcon({ ...of, key: second })).toEqual({ outcome: 'changed' });
      expect(await store.setServerIcon({ ...of, key: second })).toEqual({ outcome: 'unchanged' });
      expect([await isPublic(store, first), await isPublic(store, second)]).toEqual([false, true]);
      expect(await store.serverIcon()).toBe(second);
      expect(await store.setServerIcon({ ...of, key: null })).toEqual({ outcome: 'changed' });
      expect([await store.serverIcon(), await isPublic(store, second)]).toEqual([undefined, false]);
      const rows = (await store.audit({ viewerId: null, scope: { of: 'all' }, limit: 3, now: NOW })) ?? [];
      expect(rows.map(({ action, details }) => [action, JSON.parse(details)])).toEqual([
        ['server_icon', { from: second, to: null }],
        ['server_icon', { from: first, to: second }],
        ['server_icon', { from: null, to: first }],
      ]);
    });

    it('is set by admins alone, from a picture that they uploaded for it; it stays without their account', async () => {
      const { store, admin } = await newAdmin();
      const { ownerId: member } = await newPlace(store);
      const refused = { outcome: 'not_found' };
      const set = (actorId: number, key: string | null) => store.setServerIcon({ actorId, key, now: NOW });
      expect(await set(member, await newIcon(store, member))).toEqual(refused);
      expect(await set(admin, await newIcon(store, member))).toEqual(refused);
      expect(await set(admin, await newPicture(store, admin))).toEqual(refused);
      const key = await newIcon(store, admin);
      await set(admin, key);
      expect(await set(member, null)).toEqual(refused);
      await store.removeUser({ actorId: null, userId: admin, deletesTexts: false, reason: '', now: NOW });
      expect([await store.serverIcon(), await isPublic(store, key)]).toEqual([key, true]);
    });

    it('a picture of a person is not served to somebody who is not signed in', async () => {
      const { store, ownerId: userId } = await newPlace(subject().store);
      const key = await newPicture(store, userId);
      await store.changeProfile({ userId, avatarKey: key });
      expect(await isPublic(store, key)).toBe(false);
    });
  });

  async function newAdmin() {
    const { store, ownerId: admin } = await newPlace(subject().store);
    await store.setRole({ actorId: null, userId: admin, role: 'admin', now: NOW });
    return { store, admin };
  }

  const newIcon = (store: Store, ownerId: number) => newPicture(store, ownerId, { purpose: 'icon' });
  const isPublic = async (store: Store, key: string) =>
    (await store.servedFile({ key, userId: null, now: NOW })) !== undefined;
};
