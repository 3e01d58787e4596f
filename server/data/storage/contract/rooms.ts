import { describe, expect, it } from 'vitest';
import { searchForm, searchStart } from '../../../../protocol/search/names.ts';
import {
  type ContractPart,
  HOSTILE_TEXTS,
  looksOf,
  NOW,
  newRoom,
  newUser,
  newUserAndRoom,
  roomOf,
  say,
  unique,
} from './subject.ts';

export const describeRooms: ContractPart = (subject) => {
  const namesOf = (rooms: { name: string }[]) => rooms.map(({ name }) => name);

  describe('createRoom and findRoom', () => {
    it('a new room has said nothing yet', async () => {
      const { store } = subject();
      const user = await newUser(store);
      const name = unique('Room');
      const key = unique('key');
      const created = await store.createRoom(roomOf(user.id, name, { key, ...looksOf(key) }));
      expect(created).toMatchObject({ outcome: 'created', room: { id: expect.any(Number), name, seq: 0 } });
      if (created.outcome !== 'created') return;
      expect(await store.findRoom(created.room.id)).toEqual(created.room);
      await say(store, { roomId: created.room.id, userId: user.id }, ['one', 'two']);
      expect(await store.findRoom(created.room.id)).toEqual({ ...created.room, seq: 2, number: 2 });
    });

    it('a taken key stays with its first room; of 50 who ask for one, one gets it', async () => {
      const { store } = subject();
      const { id: ownerId } = await newUser(store);
      const key = unique('key');
      const racers = Array.from({ length: 50 }, (_, index) =>
        store.createRoom(roomOf(ownerId, `Room ${index}`, { key, ...looksOf(key) })),
      );
      const outcomes = await Promise.all(racers);
      expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'taken')).toHaveLength(49);
    });

    it('a disguised name that shares one of its looks with another room is taken; users and rooms do not mix', async () => {
      const { store } = subject();
      const owner = await newUser(store);
      const create = async (looks: string[], isDisguised: boolean) => {
        const room = roomOf(owner.id, unique('x'), { looks, isDisguised });
        return (await store.createRoom(room)).outcome;
      };
      const [one, two] = [unique('one'), unique('two')];
      expect(await create([one, owner.username], true)).toBe('created');
      expect(await create([two, one], true)).toBe('taken');
      // Also when the disguised one came first.
      expect(await create([two, one], false)).toBe('taken');
      expect(await create([two], false)).toBe('created');
      expect(await create([two], true)).toBe('taken');
    });

    it('nobody owns no room', async () => {
      const { store } = subject();
      const room = roomOf(Number.MAX_SAFE_INTEGER, unique('x'));
      expect(await store.createRoom(room)).toEqual({ outcome: 'user_not_found' });
      expect(await store.createRoom({ ...room, ownerId: (await newUser(store)).id })).toMatchObject({
        outcome: 'created',
      });
    });

    it.each([0, -1, Number.MAX_SAFE_INTEGER])('there is no room %d', async (id) => {
      expect(await subject().store.findRoom(id)).toBeUndefined();
    });

    it.each(HOSTILE_TEXTS)('keeps the name literally: %j', async (text) => {
      const { store } = subject();
      const { user } = await newUserAndRoom(store);
      const name = unique(text);
      const room = await newRoom(store, user.id, name);
      expect(await store.findRoom(room.id)).toMatchObject({ id: room.id, name, seq: 0 });
    });
  });

  describe('listRooms', () => {
    it('is newest first, and its pages meet without overlap', async () => {
      const { store } = subject();
      const { user } = await newUserAndRoom(store);
      const userId = user.id;
      const part = unique('page');
      const names = Array.from({ length: 7 }, (_, index) => `${part} ${index}`);
      for (const name of names) await newRoom(store, user.id, name);
      const newestFirst = names.toReversed();
      expect(namesOf(await store.listRooms({ limit: 7, userId }))).toEqual(newestFirst);
      for (const keyPart of [part, undefined]) {
        const listed: string[] = [];
        let beforeId: number | undefined;
        while (listed.length < 7) {
          const wanted = keyPart && searchForm(keyPart);
          const page = await store.listRooms({ limit: 3, beforeId, keyPart: wanted, userId });
          listed.push(...namesOf(page));
          beforeId = page.at(-1)?.id;
        }
        expect(listed.slice(0, 7)).toEqual(newestFirst);
      }
      expect(namesOf(await store.listRooms({ limit: 100, keyPart: searchForm(part), userId }))).toEqual(
        newestFirst,
      );
      expect(await store.listRooms({ limit: 100, keyPart: part, beforeId: 1, userId })).toEqual([]);
    });

    it('searches a part of the name’s form, literally', async () => {
      const { store } = subject();
      const { user } = await newUserAndRoom(store);
      const userId = user.id;
      const mark = unique('');
      const names = [
        `100% ${mark}`,
        `100 ${mark}`,
        `a_b ${mark}`,
        `axb ${mark}`,
        `a\\b ${mark}`,
        `a'b ${mark}`,
      ];
      for (const name of names) await newRoom(store, user.id, name);
      const search = async (keyPart: string) =>
        namesOf(await store.listRooms({ limit: 100, keyPart: keyPart && searchForm(keyPart), userId }));
      expect(await search(`% ${mark}`)).toEqual([`100% ${mark}`]);
      expect(await search(`a_b ${mark}`)).toEqual([`a_b ${mark}`]);
      expect(await search(`A B ${mark}`)).toEqual([`a_b ${mark}`]);
      expect(await search(`\\b ${mark}`)).toEqual([`a\\b ${mark}`]);
      expect(await search(`ab ${mark}`)).toEqual([`a'b ${mark}`]);
      expect(namesOf(await store.listRooms({ limit: 9, keyPart: `A_B ${mark}`, userId }))).toEqual([]);
      expect(await search(mark)).toEqual(names.toReversed());
      expect(await search(`${mark}%`)).toEqual([]);
      expect(await search('')).toEqual(namesOf(await store.listRooms({ limit: 100, userId })));
    });

    it('finds rooms without accents, capitals and punctuation, also after they are renamed', async () => {
      const { store } = subject();
      const { id: userId } = await newUser(store);
      const mark = unique('');
      const names = ['Café talk', 'Übersicht', 'São Paulo', 'team-alpha'];
      for (const name of names) await newRoom(store, userId, `${name}${mark}`);
      const search = async (typed: string) =>
        namesOf(await store.listRooms({ limit: 500, keyPart: searchStart(typed), userId }))
          .filter((name) => name.endsWith(mark))
          .map((name) => name.slice(0, -mark.length));
      for (const [typed, name] of [
        ...[
          ['cafe', 'Café talk'],
          ['ubersicht', 'Übersicht'],
          ['sao', 'São Paulo'],
        ],
        ...[
          ['PAULO', 'São Paulo'],
          ['team alpha', 'team-alpha'],
          ['#team', 'team-alpha'],
        ],
      ] as const)
        expect([typed, await search(typed)]).toEqual([typed, [name]]);
      const { id: roomId } = await newRoom(store, userId, unique('room'));
      const name = `Crème brûlée${mark}`;
      const renamed = { name, key: name, ...looksOf(name) };
      await store.changeRoom({ roomId, actorId: userId, patch: {}, names: renamed, now: NOW });
      expect(await search('creme brulee')).toEqual(['Crème brûlée']);
    });
  });
};
