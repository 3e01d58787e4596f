/** Uploads for the tests of the contract. */
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { NewFile, Store } from '../store.ts';
import { DAY, NOW, newUserAndRoom } from './subject.ts';

export const LIMITS = { userBytes: 2 ** 40, totalBytes: 2 ** 50, open: 4, unattached: 60 };
export const newKey = () => randomBytes(16).toString('base64url');

export type At = Pick<NewFile, 'ownerId'> & { roomId: number };

export function fileOf({ ownerId, roomId }: At, change: Partial<NewFile> = {}): NewFile {
  return {
    ...{ key: newKey(), purpose: 'message', ownerId, roomId, ofKey: null, name: 'a.txt', type: 'text/plain' },
    ...{ size: 100, info: '{}', place: 'disk', expiresAt: NOW + DAY, now: NOW, limits: LIMITS },
    ...change,
  };
}

/** A new upload; returns its key. */
export async function create(store: Store, at: At, change: Partial<NewFile> = {}): Promise<string> {
  const file = fileOf(at, change);
  expect(await store.createFile(file)).toEqual({ outcome: 'created' });
  return file.key;
}

export async function complete(store: Store, key: string, size = 100): Promise<void> {
  expect(await store.advanceFile({ key, from: 0, to: size, expiresAt: NOW + DAY })).toMatchObject({
    received: size,
  });
}

/** Somebody, and a room of theirs. */
export async function newPlace(store: Store) {
  const { user, room } = await newUserAndRoom(store);
  return { store, ownerId: user.id, roomId: room.id };
}

/** A picture of this person that is ready, and that nothing has. */
export async function newPicture(
  store: Store,
  ownerId: number,
  change: Partial<NewFile> = {},
): Promise<string> {
  const file = { purpose: 'avatar' as const, roomId: null, ...change };
  const key = await create(store, { ownerId, roomId: 1 }, file);
  await complete(store, key);
  const result = {
    state: 'ready',
    size: 100,
    type: 'image/png',
    sha256: 'a'.repeat(64),
    info: '{}',
  } as const;
  await store.settleFile({ key, roomId: null, result });
  return key;
}
