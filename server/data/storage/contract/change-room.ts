import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { searchForm } from '../../../../protocol/search/names.ts';
import type { RoomChange, RoomWrites } from '../store.ts';
import { type ContractPart, DAY, looksOf, NOW, newUser, roomOf, unique } from './subject.ts';

type Patch = Parameters<RoomWrites['changeRoom']>[0]['patch'];

const namesOf = (name: string) => ({ name, key: name, ...looksOf(name) });

function noticesOf(change: RoomChange | { outcome: 'taken' }) {
  assert(change.outcome === 'changed', change.outcome);
  return change.notices.map(({ notice, seq }) => ({ ...JSON.parse(notice ?? ''), seq }));
}

export const describeChangeRoom: ContractPart = (subject) => {
  async function furnished(kind: 'public' | 'private' = 'public') {
    const { store } = subject();
    const [owner, other] = [await newUser(store), await newUser(store)];
    const name = unique('room');
    const created = await store.createRoom(roomOf(owner.id, name, { kind }));
    assert(created.outcome === 'created');
    const roomId = created.room.id;
    const change = (patch: Patch, newName?: string, actorId = owner.id) =>
      store.changeRoom({
        ...{ roomId, actorId, patch, now: NOW },
        ...(newName === undefined ? {} : { names: namesOf(newName) }),
      });
    const isFound = async (part: string, userId: number) =>
      (await store.listRooms({ limit: 500, keyPart: searchForm(part), userId })).length > 0;
    return { store, roomId, owner, other, name, change, isFound };
  }

  describe('changeRoom', () => {
    it('a notice for each thing that is different, with the state after it', async () => {
      const { store, roomId, owner, name, change } = await furnished();
      const [renamed, topic] = [unique('renamed'), 'What we do'];
      const changed = await change(
        { topic, description: 'Long', emoji: '🦊', hue: 'teal', settings: { invite: 'moderator' } },
        renamed,
      );
      const by = { user_id: owner.id, username: owner.username };
      const room = {
        kind: 'public',
        name: renamed,
        topic: '',
        description: '',
        emoji: null,
        hue: null,
        archived: false,
      };
      const withEmoji = { ...room, topic, description: 'Long', emoji: '🦊' };
      expect(noticesOf(changed)).toEqual([
        { kind: 'renamed', by, room: { ...room, settings: {} }, seq: 1 },
        { kind: 'topic', by, room: { ...room, topic, settings: {} }, seq: 2 },
        { kind: 'description', by, room: { ...room, topic, description: 'Long', settings: {} }, seq: 3 },
        {
          kind: 'emoji',
          by,
          seq: 4,
          room: { ...withEmoji, settings: {} },
        },
        { kind: 'hue', by, seq: 5, room: { ...withEmoji, hue: 'teal', settings: {} } },
        {
          ...{ kind: 'settings', by, seq: 6 },
          room: { ...withEmoji, hue: 'teal', settings: { invite: 'moderator' } },
        },
      ]);
      expect(changed).toMatchObject({ room: { name: renamed, seq: 6, number: 0 }, changes: [] });
      const found = { name: renamed, topic, emoji: '🦊', hue: 'teal', seq: 6 };
      expect(await store.findRoom(roomId)).toMatchObject(found);
      expect(await change({ topic, hue: 'teal' }, renamed)).toMatchObject({
        ...{ outcome: 'unchanged', room: { seq: 6 } },
      });
      // Notices are in the log and in the flow, and in no history of texts.
      expect(await store.messagesAfter({ roomId, seq: 0, limit: 9 })).toHaveLength(6);
      expect((await store.history({ roomId, limit: 9 }))?.rows).toEqual([]);
      expect((await store.history({ roomId, limit: 9, withNotices: true }))?.rows).toHaveLength(6);
      expect(await store.createRoom(roomOf(owner.id, name))).toMatchObject({ outcome: 'created' });
    });

    it('a hue is kept wherever the room is read, until the choice is taken back', async () => {
      const { store, owner } = await furnished();
      const created = await store.createRoom(roomOf(owner.id, unique('room'), { hue: 'plum' }));
      assert(created.outcome === 'created');
      const roomId = created.room.id;
      const everywhere = async () => {
        const [entry] = await store.entries({ userId: owner.id, roomIds: [roomId], maxDms: 0 });
        const standing = await store.standing({ roomId, userId: owner.id });
        const listed = await store.listRooms({ limit: 500, userId: owner.id });
        return [
          ...[await store.findRoom(roomId), entry?.room, standing?.room],
          listed.find(({ id }) => id === roomId),
        ].map((room) => room?.hue);
      };
      expect(created.room.hue).toBe('plum');
      expect(await everywhere()).toEqual(['plum', 'plum', 'plum', 'plum']);
      const undone = { roomId, actorId: owner.id, patch: { hue: null }, now: NOW };
      expect(noticesOf(await store.changeRoom(undone))).toMatchObject([{ kind: 'hue', room: { hue: null } }]);
      expect(await everywhere()).toEqual([null, null, null, null]);
    });

    it('a public name that another room has, or looks like, is taken, and then nothing changes', async () => {
      const { store, roomId, owner, name, change } = await furnished();
      const other = unique('other');
      await store.createRoom(roomOf(owner.id, other));
      expect(await change({ topic: 'new', archived: true }, other)).toEqual({ outcome: 'taken' });
      const disguised = { ...namesOf(unique('x')), looks: [other], isDisguised: true };
      const rename = (names: typeof disguised) =>
        store.changeRoom({ roomId, actorId: owner.id, patch: {}, names, now: NOW });
      expect(await rename(disguised)).toEqual({ outcome: 'taken' });
      expect(await store.findRoom(roomId)).toMatchObject({ name, topic: '', seq: 0, archivedAt: null });
      // Its own looks are no obstacle.
      expect((await rename({ ...disguised, looks: [name] })).outcome).toBe('changed');
    });

    it('archived: nothing but its state can be changed, and nobody posts or joins; then restored', async () => {
      const { store, roomId, owner, other, change } = await furnished();
      const post = (cid: string | null = null) =>
        store.append({ roomId, userId: owner.id, cid, content: 'hello', now: NOW });
      await post('before');
      expect(noticesOf(await change({ archived: true }))).toMatchObject([{ kind: 'archived' }]);
      expect(await post()).toEqual({ outcome: 'not_allowed' });
      expect(await post('before')).toMatchObject({ outcome: 'duplicate', seq: 1 });
      expect(await change({ topic: 'new' })).toEqual({ outcome: 'not_allowed' });
      expect(await store.joinRoom({ roomId, userId: other.id, now: NOW })).toEqual({
        outcome: 'not_allowed',
      });
      expect(noticesOf(await change({ archived: false, topic: 'new' }))).toMatchObject([
        { kind: 'restored', room: { archived: false } },
        { kind: 'topic', room: { topic: 'new' } },
      ]);
      expect((await post()).outcome).toBe('stored');
    });

    it('one part that is not allowed refuses the whole change', async () => {
      const { store, roomId, owner, other, change } = await furnished();
      await store.setMember({ roomId, actorId: owner.id, userId: other.id, role: 'moderator', now: NOW });
      const refused = { outcome: 'not_allowed' };
      const asModerator = (patch: Patch) => change(patch, undefined, other.id);
      expect(await asModerator({ hue: 'sky', archived: true })).toEqual(refused);
      expect(await asModerator({ topic: 'a', kind: 'private' })).toEqual(refused);
      expect(await asModerator({ topic: 'a', is_default: true })).toEqual(refused);
      expect(await store.findRoom(roomId)).toMatchObject({ topic: '', hue: null, seq: 1 });
      expect((await asModerator({ topic: 'a', hue: 'sky' })).outcome).toBe('changed');
      const stranger = await newUser(store);
      expect(await change({ topic: 'b' }, undefined, stranger.id)).toEqual(refused);
      expect(await change({ hue: 'gold' }, undefined, stranger.id)).toEqual(refused);
    });
  });

  describe('a private room', () => {
    it('its name is free for others, and neither a search nor a look-alike reveals it to strangers', async () => {
      const { store, owner, other, name, isFound } = await furnished('private');
      expect([await isFound(name, owner.id), await isFound(name, other.id)]).toEqual([true, false]);
      const twin = roomOf(other.id, name);
      expect((await store.createRoom({ ...twin, looks: [name], isDisguised: true })).outcome).toBe('created');
      expect((await store.createRoom({ ...twin, kind: 'private' })).outcome).toBe('created');
      expect((await store.createRoom(twin)).outcome).toBe('taken');
    });

    it('a public room becomes private with a notice, and its name is free', async () => {
      const { store, roomId, owner, other, name, change, isFound } = await furnished();
      const before = await store.append({ roomId, userId: other.id, cid: 'c', content: 'x', now: NOW });
      expect(before).toMatchObject({ outcome: 'stored', isMember: false });
      const changed = await change({ kind: 'private' });
      expect(noticesOf(changed)).toMatchObject([
        { kind: 'made_private', seq: 2, room: { kind: 'private', name } },
      ]);
      expect(await change({ kind: 'private' })).toMatchObject({ outcome: 'unchanged' });
      expect(await isFound(name, other.id)).toBe(false);
      const post = { roomId, userId: other.id, cid: 'c', content: 'x', now: NOW };
      expect(await store.append(post)).toEqual({ outcome: 'room_not_found' });
      expect(await store.append({ ...post, userId: owner.id })).toMatchObject({ outcome: 'stored', seq: 3 });
      expect((await store.createRoom(roomOf(other.id, name))).outcome).toBe('created');
    });

    it('an admin sees neither its history nor its list, and joins it with a notice', async () => {
      const { store, roomId, name, isFound } = await furnished('private');
      const admin = await newUser(store);
      await store.setRole({ actorId: null, userId: admin.id, role: 'admin', now: NOW });
      expect(await isFound(name, admin.id)).toBe(false);
      const post = { roomId, userId: admin.id, cid: null, content: 'x', now: NOW };
      expect(await store.append(post)).toEqual({ outcome: 'room_not_found' });
      const joined = await store.joinRoom({ roomId, userId: admin.id, now: NOW });
      expect(noticesOf(joined)).toMatchObject([
        { kind: 'joined', member: { user_id: admin.id, role: 'member' } },
      ]);
      expect(await store.append(post)).toMatchObject({ outcome: 'stored', isMember: true });
    });
  });

  describe('default rooms', () => {
    it('an admin makes a room one; new users join it silently; a private room is none', async () => {
      const { store, roomId, owner, change } = await furnished();
      const admin = await newUser(store);
      await store.setRole({ actorId: null, userId: admin.id, role: 'admin', now: NOW });
      expect(await change({ is_default: true })).toEqual({ outcome: 'not_allowed' });
      const made = await change({ is_default: true }, undefined, admin.id);
      expect(made).toMatchObject({ outcome: 'changed', room: { isDefault: true, seq: 0 }, notices: [] });
      const join = async () => {
        const { id: userId } = await newUser(store);
        const changes = await store.joinDefaultRooms({ userId, now: NOW });
        expect(changes.map((one) => one.userId)).toEqual(changes.map(() => userId));
        expect(await store.joinDefaultRooms({ userId, now: NOW })).toEqual([]);
        return (await store.entries({ userId, maxDms: 0 })).some(({ room }) => room.id === roomId);
      };
      expect(await join()).toBe(true);
      expect(await store.findRoom(roomId)).toMatchObject({ seq: 0, members: 2 });
      await change({ kind: 'private' }, undefined, owner.id);
      expect(await join()).toBe(false);
    });
  });

  describe('createRoom', () => {
    it('a limit for each day counts those that one has made, of any kind', async () => {
      const { store } = subject();
      const { id } = await newUser(store);
      const make = async (change: object = {}) =>
        (await store.createRoom(roomOf(id, unique('room'), { maxPerDay: 2, ...change }))).outcome;
      expect([await make(), await make({ kind: 'private' }), await make()]).toEqual([
        ...['created', 'created', 'too_many'],
      ]);
      expect(await make({ now: NOW + DAY })).toBe('created');
      expect(await make({ maxPerDay: 0 })).toBe('created');
    });
  });
};
