import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  looksOf,
  NOW,
  newRoom,
  newUser,
  newUserAndRoom,
  roomOf,
  unique,
  wholeRoom,
} from '../../server/data/storage/contract/subject.ts';
import {
  openPostgresStore,
  type PostgresOpening,
} from '../../server/data/storage/postgres/postgres-store.ts';
import type { Store } from '../../server/data/storage/store.ts';
import { type DatabaseAddress, parseDatabaseAddress } from '../../server/platform/database-address.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

describe.skipIf(whyNoPostgres() !== undefined)('two processes on one PostgreSQL', () => {
  let server: PostgresServer;
  let address: DatabaseAddress;
  let openings: PostgresOpening[];
  let stores: [Store, Store];

  beforeAll(async () => {
    server = await PostgresServer.start();
    address = addressOf(await server.createDatabase());
    // At once, on an empty database.
    const [one, two] = await Promise.all([open(true), open(true)]);
    openings = [one, two];
    stores = [one.store, two.store];
  });
  afterAll(async () => {
    await Promise.all(openings.map(({ store }) => store.close()));
    await server[Symbol.asyncDispose]();
  });

  function open(isShared: boolean, where = address): Promise<PostgresOpening> {
    return openPostgresStore({ address: where, isShared, takeWithinMs: 1000, onFatal });
  }

  /** Runs a command in turn in both processes, all at once. */
  function race<T>(count: number, run: (store: Store, index: number) => Promise<T>): Promise<T[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => run(stores[index % 2 ? 1 : 0], index)));
  }

  it('they agree on the epoch, on the installation and on the time', async () => {
    const [one, two] = openings;
    expect(one?.epoch).toMatch(/^[\w-]{12}$/);
    expect(one?.installation).toMatch(/^[\w-]{12}$/);
    expect(two).toMatchObject({ epoch: one?.epoch, installation: one?.installation });
    expect(Math.abs((one?.now() ?? 0) - (two?.now() ?? 0))).toBeLessThan(1000);
  });

  it('a read of one sees every write of the other that was acknowledged', async () => {
    const [one, two] = stores;
    const { user, room } = await newUserAndRoom(one);
    for (let count = 1; count <= 50; count++) {
      const [writer, reader] = count % 2 ? [one, two] : [two, one];
      await writer.append({ roomId: room.id, userId: user.id, cid: null, content: `${count}`, now: NOW });
      const { rooms } = await reader.heads({ roomIds: [room.id], userIds: [] });
      expect(rooms).toEqual([{ roomId: room.id, seq: count }]);
    }
  });

  it('both append in the same rooms: seqs without a gap, ids and times in their order, as they were acked', async () => {
    const user = await newUser(stores[0]);
    const rooms = [await newRoom(stores[0], user.id), await newRoom(stores[1], user.id)];
    const outcomes = await race(2000, async (store, index) => {
      const roomId = rooms[Math.floor(index / 2) % 2]?.id ?? 0;
      const content = `text ${index}`;
      const outcome = await store.append({
        roomId,
        userId: user.id,
        cid: null,
        content,
        now: NOW + (index % 7),
      });
      return { ...outcome, roomId, content };
    });
    for (const room of rooms) {
      const rows = await wholeRoom(stores[0], room.id);
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
      for (const key of ['id', 'createdAt'] as const)
        expect(rows.map((row) => row[key])).toEqual(
          rows.map((row) => row[key]).toSorted((one, other) => one - other),
        );
      const acked = outcomes.filter(({ roomId }) => roomId === room.id);
      for (const { seq, id, content } of rows)
        expect(acked.find((ack) => ack.content === content)).toMatchObject({ outcome: 'stored', seq, id });
    }
  });

  it('one cid from both processes is stored once; with another content, one of them conflicts', async () => {
    const { user, room } = await newUserAndRoom(stores[0]);
    const at = { roomId: room.id, userId: user.id, now: NOW };
    for (let round = 0; round < 50; round++) {
      const cid = unique('cid');
      const outcomes = await race(4, (store) => store.append({ ...at, cid, content: 'same' }));
      expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual([
        ...['duplicate', 'duplicate', 'duplicate', 'stored'],
      ]);
      expect(new Set(outcomes.map((outcome) => ('seq' in outcome ? outcome.seq : 0))).size).toBe(1);
      const other = unique('cid');
      const two = await race(2, (store, index) => store.append({ ...at, cid: other, content: `${index}` }));
      expect(two.map(({ outcome }) => outcome).toSorted()).toEqual(['cid_conflict', 'stored']);
    }
    expect(await wholeRoom(stores[1], room.id)).toHaveLength(100);
  });

  it('a ticket is spent once', async () => {
    for (let round = 0; round < 20; round++) {
      const jti = unique('jti');
      const spent = await race(20, (store) => store.spendTicket({ jti, expiresAt: NOW }));
      expect(spent.filter(Boolean)).toHaveLength(1);
    }
  });

  it('a refresh token is exchanged once', async () => {
    const user = await newUser(stores[0]);
    for (let round = 0; round < 20; round++) {
      const refreshHash = unique('token');
      const times = { expiresAt: NOW + DAY, now: NOW };
      const session = { userId: user.id, passwordHash: 'hash', userAgent: '', refreshHash, ...times };
      await stores[0].createSession(session);
      const outcomes = await race(20, (store) =>
        store.exchangeRefreshToken({
          ...{ hash: refreshHash, successorHash: unique('successor'), successorExpiresAt: NOW + DAY },
          ...{ retryKey: null, now: NOW },
        }),
      );
      expect(outcomes.filter(({ outcome }) => outcome === 'exchanged')).toHaveLength(1);
      expect(outcomes.filter(({ outcome }) => outcome === 'invalid')).toHaveLength(19);
    }
  });

  it('of names that look alike, one is registered, of users and of rooms', async () => {
    const owner = await newUser(stores[0]);
    for (let round = 0; round < 10; round++) {
      const look = unique('look');
      const names = () => ({ looks: [look, unique('own')], isDisguised: true });
      const users = await race(10, (store) => {
        const username = unique('user');
        return store.createUser({ username, key: username, ...names(), passwordHash: 'hash', now: NOW });
      });
      expect(users.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
      const rooms = await race(10, (store) => store.createRoom(roomOf(owner.id, unique('room'), names())));
      expect(rooms.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    }
  });

  it('the last use of an invitation is used once', async () => {
    const { user, room } = await newUserAndRoom(stores[0]);
    for (let round = 0; round < 5; round++) {
      const codeHash = unique('code');
      const invite = { roomId: room.id, createdBy: user.id, expiresAt: NOW + HOUR, maxUses: 1, now: NOW };
      expect(await stores[0].createInvite({ codeHash, ...invite })).toMatchObject({ outcome: 'created' });
      const users = await race(8, (store) => newUser(store));
      const accepts = await race(8, (store, index) =>
        store.acceptInvite({ codeHash, userId: users[index]?.id ?? 0, now: NOW }),
      );
      expect(accepts.filter(({ outcome }) => outcome === 'changed')).toHaveLength(1);
    }
  });

  it('the last use of an invitation is used once by those who register and those who enter', async () => {
    const { user, room } = await newUserAndRoom(stores[0]);
    const open = (registration: 'invite' | 'open') =>
      stores[0].setRegistration({ actorId: null, registration, now: NOW });
    for (let round = 0; round < 5; round++) {
      const codeHash = unique('code');
      const invite = { roomId: room.id, createdBy: user.id, expiresAt: NOW + HOUR, maxUses: 1, now: NOW };
      await stores[0].createInvite({ codeHash, ...invite });
      const users = await race(8, (store) => newUser(store));
      await open('invite');
      const outcomes = await race(8, async (store, index) => {
        const { id: userId = 0 } = users[index] ?? {};
        if (index % 4 < 2) return (await store.acceptInvite({ codeHash, userId, now: NOW })).outcome;
        const name = unique('invited');
        const names = { username: name, key: name, ...looksOf(name) };
        return (await store.createUser({ ...names, passwordHash: 'hash', inviteHash: codeHash, now: NOW }))
          .outcome;
      });
      await open('open');
      expect(outcomes.filter((outcome) => outcome === 'changed' || outcome === 'created')).toHaveLength(1);
    }
  });

  it('a conversation of two people is made once, though each asks for it in another process', async () => {
    const makers = [await newUser(stores[0]), await newUser(stores[1])];
    const userIds = makers.map(({ id }) => id);
    const made = await race(10, (store, index) =>
      store.createDm({ userIds, makerId: userIds[index % 2] ?? 0, now: NOW, maxPerDay: 0 }),
    );
    expect(made.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(new Set(made.map((outcome) => ('room' in outcome ? outcome.room.id : 0))).size).toBe(1);
  });

  it('of two owners who leave at once, one stays', async () => {
    const [one, two] = stores;
    for (let round = 0; round < 10; round++) {
      const { user, room } = await newUserAndRoom(one);
      const other = await newUser(two);
      const owner = { roomId: room.id, actorId: user.id, userId: other.id, role: 'owner' as const, now: NOW };
      await two.joinRoom({ roomId: room.id, userId: other.id, now: NOW });
      expect(await one.setMember(owner)).toMatchObject({ outcome: 'changed' });
      const left = await Promise.all([
        one.leaveRoom({ roomId: room.id, userId: user.id, now: NOW }),
        two.leaveRoom({ roomId: room.id, userId: other.id, now: NOW }),
      ]);
      expect(left.map(({ outcome }) => outcome).toSorted()).toEqual(['changed', 'last_owner']);
    }
  });

  it('joins and posts of both processes at once take the numbers of one log', async () => {
    const { user, room } = await newUserAndRoom(stores[0]);
    await race(200, async (store, index) => {
      if (index % 5 > 0)
        return void (await store.append({
          roomId: room.id,
          userId: user.id,
          cid: null,
          content: 'x',
          now: NOW,
        }));
      const patch = { topic: unique('topic') };
      await store.changeRoom({ roomId: room.id, actorId: user.id, patch, now: NOW });
    });
    const seqs = (await wholeRoom(stores[0], room.id)).map(({ seq }) => seq);
    expect(seqs).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  it('a user name is unique by its key, too', async () => {
    const key = unique('key');
    const users = await race(20, (store, index) =>
      store.createUser({ username: `${index}`, key, ...looksOf(key), passwordHash: 'hash', now: NOW }),
    );
    expect(users.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
  });

  it('a process without Redis has the database alone, or is refused', async () => {
    await expect(open(false)).rejects.toThrow(
      'Another Roomful process uses this database. Stop it first, or give all servers the same REDIS_URL.',
    );
    const other = parseDatabaseAddress(await server.createDatabase());
    const alone = await open(false, other);
    await expect(open(true, other)).rejects.toThrow(
      'A Roomful process without REDIS_URL uses this database. Stop it, or give it the same REDIS_URL.',
    );
    await alone.store.close();
    const next = await open(true, other);
    await next.store.close();
  });
});

function onFatal(error: Error): never {
  throw error;
}
