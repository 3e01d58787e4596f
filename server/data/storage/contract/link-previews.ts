import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { LinkPreview } from '../../../../protocol/link-previews.ts';
import { extraOf } from '../../../rules/message.ts';
import type { MessageRow, NewFile, PreviewTask, Store } from '../store.ts';
import { complete, create, newKey } from './file-stage.ts';
import { type ContractPart, DAY, HOUR, NOW, newUser, newUserAndRoom, say, unique } from './subject.ts';

const LINK = 'https://site.example/a';
const PAGE: LinkPreview = { url: LINK, title: 'A page', site: 'Site', description: 'About "it"' };
const LIMITS = { perAuthor: 50, total: 1_000_000 };

export const describeLinkPreviews: ContractPart = (subject) => {
  /** A text with a link, of somebody in a room of another person. */
  async function scene({ content = `see ${LINK}` } = {}) {
    const { store } = subject();
    const { user: owner, room } = await newUserAndRoom(store);
    const author = await newUser(store);
    await store.joinRoom({ roomId: room.id, userId: author.id, now: NOW });
    const [said] = await say(store, { roomId: room.id, userId: author.id }, [content]);
    assert(said);
    const target = { roomId: room.id, messageId: said.id, actorId: author.id, now: NOW };
    const settle = (previews: readonly LinkPreview[], revision = 0) =>
      store.settlePreviews({ roomId: room.id, messageId: said.id, revision, previews });
    return { store, owner, author, roomId: room.id, target, settle, seq: said.seq };
  }
  type Scene = Awaited<ReturnType<typeof scene>>;

  /** The picture of a page, which nothing has yet. */
  async function picture({ store, author, roomId }: Scene, change: Partial<NewFile> = {}) {
    const key = await create(store, { ownerId: author.id, roomId }, { purpose: 'link', ...change });
    await complete(store, key);
    const result = {
      state: 'ready',
      size: 90,
      type: 'image/png',
      sha256: 'a'.repeat(64),
      info: '{}',
    } as const;
    await store.settleFile({ key, roomId: change.roomId === undefined ? roomId : change.roomId, result });
    return { key, width: 1200, height: 630 };
  }

  const previewsOf = (message: MessageRow | undefined) =>
    message?.facts ? extraOf(message.facts).previews : undefined;
  const deleted = async (store: Store) => (await store.filesDue({ now: NOW, limit: 10_000 })).deleted;

  describe('queuePreviews', () => {
    const queue = (store: Store, name: string, tasks: PreviewTask[], more = {}) => {
      const move = { roomId: tasks[0]?.roomId ?? 0, from: 0, to: 1 };
      return store.queuePreviews({ name, move, tasks, limits: LIMITS, ...more });
    };
    const waiting = async (store: Store, roomId: number) =>
      (await store.previewTasks({ limit: 1000 })).filter((task) => task.roomId === roomId);

    it('makes a task for each message once, with the step of the cursor', async () => {
      const { store, roomId, target, author } = await scene();
      const name = unique('previews');
      const task = { messageId: target.messageId, roomId, userId: author.id };
      expect(await queue(store, name, [task])).toEqual({ outcome: 'queued', tasks: [task] });
      expect(await store.consumerPlace({ name, roomId })).toMatchObject({ at: 1 });
      expect(await queue(store, name, [task])).toEqual({ outcome: 'lost' });
      const again = { name, move: { roomId, from: 1, to: 2 }, tasks: [task], limits: LIMITS };
      expect(await store.queuePreviews(again)).toEqual({ outcome: 'queued', tasks: [task] });
      expect(await waiting(store, roomId)).toEqual([task]);
      await store.settlePreviews({ roomId, messageId: task.messageId, revision: 0, previews: [] });
      expect(await waiting(store, roomId)).toEqual([]);
    });

    it('leaves out what is beyond the limit of an author, or of all', async () => {
      const { store, roomId, author, owner } = await scene();
      const task = (messageId: number, userId = author.id) => ({ messageId, roomId, userId });
      const base = 1_000_000_000 + roomId * 100;
      const limits = { perAuthor: 2, total: 1_000_000 };
      const tasks = [task(base), task(base + 1), task(base + 2), task(base + 3, owner.id)];
      expect(await queue(store, unique('previews'), tasks, { limits })).toMatchObject({
        tasks: [tasks[0], tasks[1], tasks[3]],
      });
      const none = { perAuthor: 50, total: 0 };
      expect(await queue(store, unique('previews'), [task(base + 4)], { limits: none })).toMatchObject({
        tasks: [],
      });
      for (const { messageId } of tasks)
        await store.settlePreviews({ roomId, messageId, revision: 0, previews: [] });
    });
  });

  describe('settlePreviews', () => {
    it('gives a message its previews as a change of it that is no edit', async () => {
      const { store, target, settle, seq } = await scene();
      const settled = await settle([PAGE]);
      assert(settled.outcome === 'settled');
      expect(settled.message).toMatchObject({ changedSeq: seq + 1, facts: { revision: 0, editedAt: null } });
      const message = await store.message(target);
      expect(message).toEqual(settled.message);
      expect(previewsOf(message)).toEqual([PAGE]);
      expect((await store.findRoom(target.roomId))?.seq).toBe(seq + 1);
      expect(await settle([PAGE])).toEqual({ outcome: 'settled' });
    });

    it('a text that was edited meanwhile, deleted, or is none: its previews are not those', async () => {
      const { store, target, settle } = await scene();
      await store.editMessage({ ...target, content: 'no link', baseRevision: 0 });
      expect(await settle([PAGE])).toEqual({ outcome: 'stale' });
      await store.deleteMessage(target);
      expect(await settle([PAGE], 1)).toEqual({ outcome: 'settled' });
      const nowhere = { roomId: target.roomId, messageId: 999_999_999, revision: 0, previews: [PAGE] };
      expect(await store.settlePreviews(nowhere)).toEqual({ outcome: 'settled' });
      expect((await store.message(target))?.facts).toMatchObject({ extra: null });
    });

    it('a picture is a file of the message from then on, for those who may read it', async () => {
      const at = await scene();
      const { store, target, owner } = at;
      const image = await picture(at);
      await at.settle([{ ...PAGE, image }]);
      expect(previewsOf(await store.message(target))).toEqual([{ ...PAGE, image }]);
      const stranger = await newUser(store);
      const served = (userId: number) => store.servedFile({ key: image.key, userId, now: NOW + 2 * DAY });
      expect(await served(stranger.id)).toMatchObject({ purpose: 'link', messageId: target.messageId });
      await store.changeRoom({
        roomId: at.roomId,
        actorId: owner.id,
        patch: { kind: 'private' },
        now: NOW,
      });
      expect(await served(stranger.id)).toBeUndefined();
      expect(await served(owner.id)).toMatchObject({ key: image.key });
      const files = await store.roomFiles({ roomId: at.roomId, userId: owner.id, limit: 9, now: NOW });
      expect(files?.files).toEqual([]);
    });

    it('a picture that is not there, is of another room, or no picture of a link is left out', async () => {
      const at = await scene();
      const other = await scene();
      const checking = await create(
        at.store,
        { ownerId: at.author.id, roomId: at.roomId },
        { purpose: 'link' },
      );
      for (const key of [
        newKey(),
        checking,
        (await picture(other)).key,
        (await picture(at, { purpose: 'message' })).key,
      ]) {
        await at.settle([{ ...PAGE, image: { key, width: 1, height: 1 } }]);
        expect(previewsOf(await at.store.message(at.target))).toEqual([PAGE]);
      }
    });

    it('a picture that the message shows no more is deleted', async () => {
      const at = await scene();
      const [first, second] = [await picture(at), await picture(at)];
      await at.settle([{ ...PAGE, image: first }]);
      await at.settle([{ ...PAGE, image: second }]);
      expect(await deleted(at.store)).toContain(first.key);
      await at.settle([{ ...PAGE, image: second }]);
      expect(await deleted(at.store)).not.toContain(second.key);
      await at.settle([]);
      expect(await deleted(at.store)).toContain(second.key);
      expect((await at.store.message(at.target))?.facts?.extra ?? null).toBeNull();
    });

    it('pictures take the quota of the author, and no place among the uploads', async () => {
      const at = await scene();
      const { store, author, roomId } = at;
      const of = { ownerId: author.id, roomId };
      const open: string[] = [];
      while (open.length < 4) open.push(await create(store, of));
      const image = await picture(at);
      const limits = { userBytes: 499, totalBytes: 2 ** 50, open: 4, unattached: 60 };
      const more = { purpose: 'link' as const, limits };
      const file = { key: newKey(), ...of, ofKey: null, name: 'x', type: 'x/y', size: 100, info: '{}' };
      const times = { place: 'disk' as const, expiresAt: NOW + DAY, now: NOW };
      expect(await store.createFile({ ...file, ...times, ...more })).toEqual({ outcome: 'too_many' });
      await at.settle([{ ...PAGE, image }]);
      await store.deleteUpload({ key: open[0] ?? '', ownerId: author.id });
      await create(store, of);
    });
  });

  describe('an edit', () => {
    it('takes the previews of links that the text has no more, with their pictures, and leaves the others', async () => {
      const other = { url: 'https://other.example/', title: 'Other' };
      const at = await scene({ content: `${LINK} ${other.url}` });
      const image = await picture(at);
      await at.settle([{ ...PAGE, image }, other]);
      const edit = { ...at.target, content: `only ${other.url}`, baseRevision: 0 };
      const edited = await at.store.editMessage(edit);
      assert(edited.outcome === 'changed');
      expect(previewsOf(edited.message)).toEqual([other]);
      expect(await deleted(at.store)).toContain(image.key);
      const last = await at.store.editMessage({ ...at.target, content: 'none', baseRevision: 1 });
      assert(last.outcome === 'changed');
      expect(last.message.facts?.extra).toBeNull();
    });
  });

  describe('a deletion', () => {
    it('takes the previews and their pictures', async () => {
      const at = await scene();
      const image = await picture(at);
      await at.settle([{ ...PAGE, image }]);
      await at.store.deleteMessage(at.target);
      expect(previewsOf(await at.store.message(at.target))).toBeUndefined();
      expect(await deleted(at.store)).toContain(image.key);
      expect(await at.store.servedFile({ key: image.key, userId: at.author.id, now: NOW })).toBeUndefined();
    });
  });

  describe('removePreviews', () => {
    it('takes them with their pictures, and the message gets none again, whatever is edited', async () => {
      const at = await scene();
      const { store, target } = at;
      const image = await picture(at);
      await at.settle([{ ...PAGE, image }]);
      const removed = await store.removePreviews(target);
      assert(removed.outcome === 'changed');
      expect(previewsOf(removed.message)).toEqual([]);
      expect(await deleted(store)).toContain(image.key);
      expect(await store.removePreviews(target)).toMatchObject({ outcome: 'unchanged' });
      expect(await at.settle([PAGE])).toEqual({ outcome: 'settled' });
      await store.editMessage({ ...target, content: `again ${LINK}`, baseRevision: 0 });
      expect(await at.settle([PAGE], 1)).toEqual({ outcome: 'settled' });
      expect(previewsOf(await store.message(target))).toEqual([]);
    });

    it('of a text whose links are still looked at keeps them away; a text without links stays as it is', async () => {
      const at = await scene();
      expect(await at.store.removePreviews(at.target)).toMatchObject({ outcome: 'changed' });
      expect(await at.settle([PAGE])).toEqual({ outcome: 'settled' });
      const plain = await scene({ content: 'no link' });
      expect(await plain.store.removePreviews(plain.target)).toMatchObject({ outcome: 'unchanged' });
      await plain.store.deleteMessage(plain.target);
      expect(await plain.store.removePreviews(plain.target)).toEqual({ outcome: 'message_not_found' });
    });

    it('is for the author and for moderators, and the audit log has what they took', async () => {
      const { store, target, settle, owner, roomId } = await scene();
      await settle([PAGE]);
      const stranger = await newUser(store);
      const by = (actorId: number) => store.removePreviews({ ...target, actorId });
      expect(await by(stranger.id)).toEqual({ outcome: 'not_allowed' });
      expect(await by(owner.id)).toMatchObject({ outcome: 'changed' });
      const scope = { of: 'room', roomId } as const;
      const log = await store.audit({ viewerId: owner.id, scope, limit: 10, now: NOW });
      expect(log?.filter(({ action }) => action === 'previews_removed')).toHaveLength(1);
    });
  });

  describe('keepLinks', () => {
    it('keeps what pages have said, the latest of each, for a day', async () => {
      const { store } = subject();
      const [one, other] = [unique('hash'), unique('hash')];
      await store.keepLinks([
        { urlHash: one, data: '"1"', fetchedAt: NOW },
        { urlHash: other, data: 'x', fetchedAt: NOW - DAY },
      ]);
      await store.keepLinks([{ urlHash: one, data: '"2"', fetchedAt: NOW + HOUR }]);
      const kept = (since: number) => store.keptLinks({ urlHashes: [one, other, unique('hash')], since });
      expect(await kept(NOW)).toEqual([{ urlHash: one, data: '"2"', fetchedAt: NOW + HOUR }]);
      expect(await kept(0)).toHaveLength(2);
      await store.purge({ now: NOW + HOUR });
      expect((await kept(0)).map(({ urlHash }) => urlHash)).toEqual([one]);
      expect(await store.keptLinks({ urlHashes: [], since: 0 })).toEqual([]);
    });
  });
};
