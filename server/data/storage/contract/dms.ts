import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import { type ContractPart, DAY, NOW, newUsers, roomOf, say, texts, unique } from './subject.ts';

function open(store: Store, makerId: number, userIds: number[], change: object = {}) {
  return store.createDm({ makerId, userIds, now: NOW, maxPerDay: 0, ...change });
}

/** The rooms on a user's list. */
async function listOf(store: Store, userId: number, maxDms = 200): Promise<number[]> {
  return (await store.entries({ userId, maxDms })).map(({ room }) => room.id);
}

export const describeDms: ContractPart = (subject) => {
  async function people(count: number) {
    const { store } = subject();
    const users = await newUsers(store, count);
    return { store, ids: users.map(({ id }) => id), names: users.map(({ username }) => username) };
  }

  describe('createDm', () => {
    it('one for each set of people, in any order; it has no name, and all are in its lists of members', async () => {
      const { store, ids } = await people(3);
      const [ann = 0, bo = 0, cy = 0] = ids;
      const made = await open(store, ann, [ann, bo, cy]);
      assert(made.outcome === 'created');
      expect(made.room).toMatchObject({ kind: 'dm', name: '', seq: 0, members: 3 });
      expect(made.changes.map(({ userId }) => userId)).toEqual([ann]);
      const again = await open(store, cy, [bo, ann, bo]);
      expect(again).toMatchObject({ outcome: 'found', room: { id: made.room.id } });
      const other = await open(store, ann, [bo]);
      expect(other.outcome).toBe('created');
      expect((await store.members({ roomId: made.room.id, limit: 9 })).map(({ userId }) => userId)).toEqual(
        ids,
      );
    });

    it('with oneself alone: notes', async () => {
      const { store, ids, names } = await people(1);
      const [ann = 0] = ids;
      const notes = await open(store, ann, []);
      assert(notes.outcome === 'created');
      expect(notes.room).toMatchObject({ members: 1 });
      await say(store, { roomId: notes.room.id, userId: ann }, ['remember']);
      const [entry] = await store.entries({ userId: ann, maxDms: 1 });
      expect(entry).toMatchObject({
        people: [{ userId: ann, username: names[0] }],
        last: { start: 'remember', username: names[0] },
      });
    });

    it('of 50 racers among the same people, one makes it', async () => {
      const { store, ids } = await people(2);
      const racers = Array.from({ length: 50 }, (_, index) => open(store, ids[index % 2] ?? 0, ids));
      const outcomes = await Promise.all(racers);
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      const rooms = new Set(outcomes.map((made) => ('room' in made ? made.room.id : 0)));
      expect(rooms.size).toBe(1);
    });

    it('has ten people at most, all of them there', async () => {
      const { store, ids } = await people(11);
      const [ann = 0] = ids;
      expect(await open(store, ann, ids)).toEqual({ outcome: 'too_many' });
      expect((await open(store, ann, ids.slice(0, 10))).outcome).toBe('created');
      expect(await open(store, ann, [Number.MAX_SAFE_INTEGER])).toEqual({ outcome: 'user_not_found' });
    });

    it('a limit for each day counts those that one has made; finding one counts nothing', async () => {
      const { store, ids } = await people(4);
      const [ann = 0, bo = 0, cy = 0, dee = 0] = ids;
      const limited = { maxPerDay: 2 };
      expect((await open(store, ann, [bo], limited)).outcome).toBe('created');
      expect((await open(store, ann, [cy], limited)).outcome).toBe('created');
      expect((await open(store, ann, [dee], limited)).outcome).toBe('too_many');
      expect((await open(store, ann, [bo], limited)).outcome).toBe('found');
      expect((await open(store, dee, [ann], limited)).outcome).toBe('created');
      expect((await open(store, ann, [cy, dee], { ...limited, now: NOW + DAY })).outcome).toBe('created');
    });

    it('a user whom one of the people has blocked makes none, and still finds the existing one', async () => {
      const { store, ids } = await people(3);
      const [ann = 0, bo = 0, cy = 0] = ids;
      await open(store, ann, [bo]);
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: true });
      expect(await open(store, ann, [bo, cy])).toEqual({ outcome: 'not_allowed' });
      expect((await open(store, ann, [bo])).outcome).toBe('found');
      expect((await open(store, bo, [ann, cy])).outcome).toBe('created');
    });

    it('is in no list of rooms, cannot be joined or left, and nobody else sees it', async () => {
      const { store, ids } = await people(3);
      const [ann = 0, bo = 0, cy = 0] = ids;
      const made = await open(store, ann, [bo]);
      assert(made.outcome === 'created');
      const roomId = made.room.id;
      for (const userId of [ann, cy])
        expect((await store.listRooms({ limit: 500, userId })).map(({ id }) => id)).not.toContain(roomId);
      expect(await store.joinRoom({ roomId, userId: cy, now: NOW })).toEqual({ outcome: 'room_not_found' });
      expect(await store.leaveRoom({ roomId, userId: bo, now: NOW })).toEqual({ outcome: 'not_allowed' });
      const add = { roomId, actorId: ann, userId: cy, now: NOW };
      expect(await store.setMember(add)).toEqual({ outcome: 'not_allowed' });
      expect(await store.append({ roomId, userId: cy, cid: null, content: 'x', now: NOW })).toEqual({
        outcome: 'room_not_found',
      });
    });
  });

  describe('a direct conversation on the lists', () => {
    it('an empty one is on the list of its maker only; the first message puts it on all lists and in all logs', async () => {
      const { store, ids, names } = await people(2);
      const [ann = 0, bo = 0] = ids;
      const made = await open(store, ann, [bo]);
      assert(made.outcome === 'created');
      const roomId = made.room.id;
      expect([await listOf(store, ann), await listOf(store, bo)]).toEqual([[roomId], []]);
      expect(await store.userLog({ userId: bo, after: 0, limit: 9 })).toMatchObject({ seq: 0, members: [] });
      const first = await store.append({ roomId, userId: ann, cid: null, content: 'hello', now: NOW });
      assert(first.outcome === 'stored');
      const { seq } = await store.userLog({ userId: bo, after: 0, limit: 9 });
      expect(first).toMatchObject({ isMember: true, shown: [{ userId: bo, userSeq: seq }] });
      const [entry] = await store.entries({ userId: bo, maxDms: 200 });
      expect(entry).toMatchObject({
        ...{ room: { id: roomId, seq: 1 }, member: { hidden: false, userSeq: seq } },
        people: [{ userId: ann, username: names[0], displayName: '' }],
      });
      const second = await store.append({ roomId, userId: ann, cid: null, content: 'again', now: NOW });
      expect(second).not.toHaveProperty('shown');
    });

    it('a hidden one comes back with its next message, or when it is opened again', async () => {
      const { store, ids } = await people(2);
      const [ann = 0, bo = 0] = ids;
      const made = await open(store, ann, [bo]);
      assert(made.outcome === 'created');
      const roomId = made.room.id;
      await say(store, { roomId, userId: ann }, ['hello']);
      const hide = () => store.setPrefs({ roomId, userId: bo, hidden: true });
      await hide();
      expect(await listOf(store, bo)).toEqual([]);
      const found = await open(store, bo, [ann]);
      assert(found.outcome === 'found');
      expect(found.changes).toMatchObject([{ userId: bo }]);
      expect(await listOf(store, bo)).toEqual([roomId]);
      expect(await open(store, bo, [ann])).toMatchObject({ changes: [] });
      await hide();
      const [twice] = await Promise.all([say(store, { roomId, userId: ann }, texts(2)), hide()]);
      expect(twice).toHaveLength(2);
      await say(store, { roomId, userId: ann }, ['back']);
      expect(await listOf(store, bo)).toEqual([roomId]);
    });

    it('only the latest are listed, beside all rooms', async () => {
      const { store, ids } = await people(5);
      const [ann = 0, ...others] = ids;
      const dms: number[] = [];
      for (const other of others) {
        const made = await open(store, ann, [other]);
        assert(made.outcome === 'created');
        dms.push(made.room.id);
      }
      const room = await store.createRoom(roomOf(ann, unique('room')));
      assert(room.outcome === 'created');
      const [first = 0, , third = 0, last = 0] = dms;
      await store.append({ roomId: first, userId: ann, cid: null, content: 'late', now: NOW + 1 });
      await store.setPrefs({ roomId: last, userId: ann, hidden: true });
      expect(await listOf(store, ann, 2)).toEqual([first, third, room.room.id]);
      const entries = await store.entries({ userId: ann, roomIds: [last, 0], maxDms: 0 });
      expect(entries.map((entry) => [entry.room.id, entry.member.hidden])).toEqual([[last, true]]);
    });

    it('between two people, a message to one who has blocked its author is not delivered; in a group it is', async () => {
      const { store, ids } = await people(3);
      const [ann = 0, bo = 0] = ids;
      const [two, three] = [await open(store, ann, [bo]), await open(store, ann, ids)];
      assert(two.outcome === 'created' && three.outcome === 'created');
      const post = (roomId: number, userId: number, cid: string | null = null) =>
        store.append({ roomId, userId, cid, content: 'hello', now: NOW });
      const before = await post(two.room.id, ann, 'c');
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: true });
      const isBlocked = async () => [
        await store.isBlockedIn({ roomId: two.room.id, userId: ann }),
        await store.isBlockedIn({ roomId: two.room.id, userId: bo }),
        await store.isBlockedIn({ roomId: three.room.id, userId: ann }),
      ];
      expect(await isBlocked()).toEqual([true, false, false]);
      expect(await post(two.room.id, ann)).toEqual({ outcome: 'not_delivered' });
      expect(await post(two.room.id, bo)).toMatchObject({ outcome: 'stored' });
      expect(await post(three.room.id, ann)).toMatchObject({ outcome: 'stored' });
      // What was acknowledged stays acknowledged.
      expect(await post(two.room.id, ann, 'c')).toMatchObject({
        outcome: 'duplicate',
        seq: before.outcome === 'stored' ? before.seq : 0,
      });
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: false });
      expect(await isBlocked()).toEqual([false, false, false]);
      expect(await post(two.room.id, ann)).toMatchObject({ outcome: 'stored' });
    });

    it('a person who is blocked there changes nothing that the other one sees, and may delete', async () => {
      const { store, ids } = await people(2);
      const [ann = 0, bo = 0] = ids;
      const dm = await open(store, ann, [bo]);
      assert(dm.outcome === 'created');
      const { id: roomId } = dm.room;
      const post = (userId: number) =>
        store.append({ roomId, userId, cid: null, content: 'hello', now: NOW });
      const [said, answer] = [await post(ann), await post(bo)];
      assert(said.outcome === 'stored' && answer.outcome === 'stored');
      const reply = { roomId, userId: bo, cid: 'c', content: 'reply', threadId: said.id, now: NOW };
      expect(await store.post(reply)).toMatchObject({ outcome: 'stored' });
      const of = ({ id: messageId }: { id: number }) => ({ roomId, messageId, actorId: ann, now: NOW });
      const changes = () => [
        store.editMessage({ ...of(said), content: 'look here', baseRevision: 0 }),
        store.react({ ...of(answer), emoji: '\u{1F44D}', on: true }),
        store.pin({ ...of(answer), on: true }),
        store.changeThread({ roomId, threadId: said.id, actorId: ann, now: NOW, title: 'look here' }),
      ];
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: true });
      expect(await Promise.all(changes())).toEqual(Array(4).fill({ outcome: 'not_delivered' }));
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: false });
      expect(await Promise.all(changes())).toMatchObject(Array(4).fill({ outcome: 'changed' }));
      await store.setBlock({ userId: bo, blockedId: ann, isBlocked: true });
      expect(await store.deleteMessage(of(said))).toMatchObject({ outcome: 'changed' });
    });
  });
};
