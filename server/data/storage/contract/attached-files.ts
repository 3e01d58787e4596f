import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { filesIn, filesOf } from '../../../rules/attached-files.ts';
import type { NewFile, Store } from '../store.ts';
import { type At, complete, create, newKey, newPlace } from './file-stage.ts';
import { type ContractPart, DAY, HOSTILE_TEXTS, NOW, newPrivateRoom, newUser } from './subject.ts';

const HASH = 'a'.repeat(64);
const READY = { state: 'ready', size: 90, type: 'image/png', sha256: HASH } as const;

/** Files become a part of a message, and go with it. */
export const describeAttachedFiles: ContractPart = (subject) => {
  async function upload(store: Store, at: At, change: Partial<NewFile> = {}): Promise<string> {
    const key = await create(store, at, change);
    await complete(store, key);
    return key;
  }
  const settle = (store: Store, at: At, key: string, info: object = {}) =>
    store.settleFile({ key, roomId: at.roomId, result: { ...READY, info: JSON.stringify(info) } });
  const textOf = ({ ownerId: userId, roomId }: At, files: readonly string[] | undefined, cid = newKey()) => ({
    ...{ roomId, userId, cid, content: '', now: NOW },
    files,
  });

  /** A message with these files. */
  async function post(store: Store, at: At, files: readonly string[]) {
    const posted = await store.post(textOf(at, files));
    assert(posted.outcome === 'stored');
    return posted.message;
  }

  async function messageOf(store: Store, at: At, messageId: number) {
    const message = await store.message({ roomId: at.roomId, messageId });
    assert(message);
    return message;
  }

  describe('post with files', () => {
    it('the message has them in their order, with what their sender said; they do not expire', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const keys: string[] = [];
      for (const text of HOSTILE_TEXTS)
        keys.push(await upload(store, at, { name: text, info: JSON.stringify({ alt: text }) }));
      keys.reverse();
      const message = await post(store, at, keys);
      expect(filesOf(message.facts)).toEqual(
        HOSTILE_TEXTS.toReversed().map((text, index) => ({
          ...{ key: keys[index], name: text, type: 'text/plain', size: 100, alt: text, state: 'checking' },
        })),
      );
      expect(await messageOf(store, at, message.id)).toEqual(message);
      await store.expireFiles({ now: NOW + 9 * DAY, limit: 1000 });
      for (const key of keys)
        expect(await store.ownFile({ key, ownerId: at.ownerId })).toMatchObject({
          ...{ messageId: message.id, expiresAt: null },
        });
      expect(await store.deleteUpload({ key: keys[0] ?? '', ownerId: at.ownerId })).toBe(false);
    });

    it('a file is in one message: of 20 racers one gets it', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await upload(store, at);
      const racers = Array.from({ length: 20 }, () => store.post(textOf(at, [key])));
      const outcomes = (await Promise.all(racers)).map(({ outcome }) => outcome);
      expect(outcomes.toSorted()).toEqual([...Array(19).fill('invalid_files'), 'stored']);
    });

    it('whoever deletes or posts it first has it', async () => {
      const { store, ...at } = await newPlace(subject().store);
      for (let round = 0; round < 20; round++) {
        const key = await upload(store, at);
        const [posted, deleted] = await Promise.all([
          store.post(textOf(at, [key])),
          store.deleteUpload({ key, ownerId: at.ownerId }),
        ]);
        expect([posted.outcome, deleted]).toEqual(deleted ? ['invalid_files', true] : ['stored', false]);
      }
    });

    it('invalid_files: of another, of another room, incomplete, refused, deleted, sent, unknown, a preview; nothing is stored', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const other = await newUser(store);
      await store.joinRoom({ roomId: at.roomId, userId: other.id, now: NOW });
      const elsewhere = await newPrivateRoom(store, at.ownerId);
      const good = await upload(store, at);
      const refused = await upload(store, at);
      await store.settleFile({ key: refused, roomId: at.roomId, result: { state: 'refused', info: '{}' } });
      const deleted = await upload(store, at);
      await store.deleteUpload({ key: deleted, ownerId: at.ownerId });
      const sent = await upload(store, at);
      await post(store, at, [sent]);
      const bad = [
        await upload(store, { ...at, ownerId: other.id }),
        await upload(store, { ...at, roomId: elsewhere.id }),
        await create(store, at),
        refused,
        deleted,
        sent,
        newKey(),
        await upload(store, at, { purpose: 'preview', ofKey: good }),
      ];
      const { seq } = (await store.history({ roomId: at.roomId, limit: 1 })) ?? {};
      for (const key of bad)
        expect(await store.post(textOf(at, [good, key]))).toEqual({ outcome: 'invalid_files' });
      expect(await store.history({ roomId: at.roomId, limit: 1 })).toMatchObject({ seq });
      expect(await store.post(textOf(at, [good]))).toMatchObject({ outcome: 'stored' });
    });

    it('a repeat of the cid is known, also once the files are gone; with other files it is cid_conflict', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const [key, other] = [await upload(store, at), await upload(store, at)];
      const text = textOf(at, [key]);
      const stored = await store.post(text);
      assert(stored.outcome === 'stored');
      const { id, seq, number, createdAt } = stored;
      const duplicate = { outcome: 'duplicate', id, seq, number, createdAt };
      expect(await store.post(text)).toEqual(duplicate);
      expect(await store.post({ ...text, files: [other] })).toEqual({ outcome: 'cid_conflict' });
      await store.deleteMessage({ roomId: at.roomId, messageId: id, actorId: at.ownerId, now: NOW });
      expect(await store.post(text)).toEqual(duplicate);
    });

    it('the list of rooms counts the files of the latest text', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const lastOf = async () =>
        (await store.entries({ userId: at.ownerId, maxDms: 10 })).find(({ room }) => room.id === at.roomId)
          ?.last;
      await post(store, at, [await upload(store, at), await upload(store, at)]);
      expect(await lastOf()).toMatchObject({ start: '', files: 2 });
      await store.append({
        roomId: at.roomId,
        userId: at.ownerId,
        cid: null,
        content: '"files":[',
        now: NOW,
      });
      expect(await lastOf()).toMatchObject({ start: '"files":[', files: 0 });
    });
  });

  describe('settleFile of a file that a message has', () => {
    it('the message changes by the next number, and shows what was found, and why a file was refused', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const [key, other] = [await upload(store, at), await upload(store, at)];
      const message = await post(store, at, [key, other]);
      const found = { kind: 'png', width: 40, height: 30 };
      const settled = await settle(store, at, key, found);
      expect(settled).toMatchObject({ isSettled: true, message: { changedSeq: message.seq + 1 } });
      const changed = await messageOf(store, at, message.id);
      expect(settled.message).toEqual(changed);
      expect(filesOf(changed.facts)).toEqual([
        { ...{ key, name: 'a.txt', type: 'image/png', size: 90 }, width: 40, height: 30 },
        expect.objectContaining({ key: other, state: 'checking' }),
      ]);
      const info = JSON.stringify({ reason: 'malware' });
      await store.settleFile({ key: other, roomId: at.roomId, result: { state: 'refused', info } });
      const { facts, changedSeq } = await messageOf(store, at, message.id);
      expect(filesOf(facts)[1]).toMatchObject({ key: other, state: 'refused', reason: 'malware', size: 0 });
      expect(changedSeq).toBe(message.seq + 2);
      const [next] = await store.messagesAfter({ roomId: at.roomId, seq: message.seq, limit: 5 });
      expect(next?.changedSeq).toBe(changedSeq);
    });

    it('of files that are posted and checked at the same time none stays unfinished', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const rounds = Array.from({ length: 15 }, async () => {
        const key = await upload(store, at, {
          limits: { ...{ userBytes: 2 ** 40, totalBytes: 2 ** 50 }, open: 99, unattached: 99 },
        });
        const [posted] = await Promise.all([store.post(textOf(at, [key])), settle(store, at, key)]);
        assert(posted.outcome === 'stored');
        return posted.id;
      });
      for (const id of await Promise.all(rounds)) {
        const { facts } = await messageOf(store, at, id);
        expect(filesOf(facts)).toMatchObject([{ size: 90 }]);
        expect(filesOf(facts)[0]).not.toHaveProperty('state');
      }
    });

    it('what its sender said stays; a preview is shown once it is ready and of the same proportions', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const blur = 'abcd';
      const key = await upload(store, at, { info: JSON.stringify({ alt: 'a cat', blur }) });
      const preview = async () => upload(store, at, { purpose: 'preview', ofKey: key });
      const [fits, turned] = [await preview(), await preview()];
      const message = await post(store, at, [key]);
      const shown = async () => filesOf((await messageOf(store, at, message.id)).facts)[0];
      await settle(store, at, fits, { kind: 'webp', width: 400, height: 301 });
      expect(await shown()).toMatchObject({ alt: 'a cat', blur, preview: fits, state: 'checking' });
      await settle(store, at, key, { kind: 'jpeg', width: 4000, height: 3000 });
      expect(await shown()).toMatchObject({ alt: 'a cat', blur, preview: fits, width: 4000 });
      expect(await settle(store, at, turned, { kind: 'webp', width: 300, height: 400 })).toEqual({
        isSettled: true,
      });
      expect(await shown()).toMatchObject({ preview: fits });
    });
  });

  describe('the end of a message with files', () => {
    it('its files and their previews are deleted with it, also those that are being checked', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const key = await upload(store, at);
      const preview = await upload(store, at, { purpose: 'preview', ofKey: key });
      const stays = await upload(store, at);
      const message = await post(store, at, [key]);
      await post(store, at, [stays]);
      const target = { roomId: at.roomId, messageId: message.id, actorId: at.ownerId, now: NOW };
      const deleted = await store.deleteMessage(target);
      assert(deleted.outcome === 'changed');
      expect(filesIn(deleted.message.facts?.extra ?? null)).toEqual([]);
      for (const gone of [key, preview])
        expect(await store.ownFile({ key: gone, ownerId: at.ownerId })).toBeUndefined();
      expect(await store.ownFile({ key: stays, ownerId: at.ownerId })).toBeDefined();
      expect(await settle(store, at, key)).toEqual({ isSettled: false });
      const due = await store.filesDue({ now: NOW, limit: 1000 });
      expect(due.deleted).toEqual(expect.arrayContaining([key, preview]));
    });

    it('an edit may leave it without a text, and not a message without files', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const text = { ...textOf(at, [await upload(store, at)]), content: 'look' };
      const [posted, plain] = await Promise.all([
        store.post(text),
        store.append({ ...text, cid: null, content: 'plain' }),
      ]);
      assert(posted.outcome === 'stored' && plain.outcome === 'stored');
      const edit = { roomId: at.roomId, actorId: at.ownerId, now: NOW, content: '', baseRevision: 0 };
      expect(await store.editMessage({ ...edit, messageId: posted.id })).toMatchObject({
        ...{ outcome: 'changed', message: { content: '' } },
      });
      expect(await store.editMessage({ ...edit, messageId: plain.id })).toEqual({
        outcome: 'invalid_content',
      });
    });

    it('the files of a room that is purged are deleted', async () => {
      const { store, ...at } = await newPlace(subject().store);
      const keys = [await upload(store, at), await upload(store, at)];
      for (const key of keys) await post(store, at, [key]);
      await store.deleteRoom({ roomId: at.roomId, actorId: at.ownerId, now: NOW });
      expect(await store.ownFile({ key: keys[0] ?? '', ownerId: at.ownerId })).toBeDefined();
      await store.purge({ now: NOW + 31 * DAY });
      for (const key of keys) expect(await store.ownFile({ key, ownerId: at.ownerId })).toBeUndefined();
    });
  });
};
