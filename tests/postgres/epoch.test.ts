import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  DAY,
  NOW,
  newUser,
  newUserAndRoom,
  say,
  unique,
} from '../../server/data/storage/contract/subject.ts';
import { openPostgresStore } from '../../server/data/storage/postgres/postgres-store.ts';
import type { DatabaseAddress } from '../../server/platform/database-address.ts';
import { addressOf, PostgresServer, whyNoPostgres } from '../support/postgres.ts';

const ID_GAP = 1_000_000_000;

describe.skipIf(whyNoPostgres() !== undefined)('the epoch of a PostgreSQL database', () => {
  let server: PostgresServer;
  let url: string;
  let address: DatabaseAddress;

  beforeAll(async () => {
    server = await PostgresServer.start();
    url = await server.createDatabase();
    address = addressOf(url);
  });
  afterAll(async () => await server?.[Symbol.asyncDispose]());

  /** A process; `ended` has the reason why it must end. */
  async function open() {
    const ended: string[] = [];
    const onFatal = ({ message }: Error) => void ended.push(message);
    return { ...(await openPostgresStore({ address, isShared: true, onFatal })), ended };
  }

  it('stays over restarts, and so does the name of the installation', async () => {
    const one = await open();
    await one.store.close();
    const two = await open();
    expect(two).toMatchObject({ epoch: one.epoch, installation: one.installation });
    await two.store.close();
  });

  it.each([
    ['was deleted after a restore', "DELETE FROM meta WHERE key = 'epoch'"],
    ['is of another cluster: a dump that was restored', "UPDATE meta SET value = '1' WHERE key = 'system'"],
    [
      'is of another timeline, without a synchronous standby',
      "UPDATE meta SET value = '00000000' WHERE key = 'timeline'",
    ],
  ])('is a new one when it %s: sessions end, and ids are skipped', async (_, change) => {
    const before = await open();
    const { user, room } = await newUserAndRoom(before.store);
    const session = {
      userId: user.id,
      passwordHash: 'hash',
      userAgent: '',
      refreshHash: unique('hash'),
      expiresAt: NOW + DAY,
      now: NOW,
    };
    await before.store.createSession(session);
    const [last] = await say(before.store, { roomId: room.id, userId: user.id }, ['last']);
    await before.store.close();
    await server.run(change, url);
    const after = await open();
    expect(after.epoch).not.toBe(before.epoch);
    expect(after.installation).toBe(before.installation);
    expect(await after.store.liveSessions({ userId: user.id, now: NOW })).toEqual([]);
    const [next] = await say(after.store, { roomId: room.id, userId: user.id }, ['next']);
    expect(next?.seq).toBe(2);
    expect(next?.id).toBeGreaterThan((last?.id ?? 0) + ID_GAP);
    expect((await newUser(after.store)).id).toBeGreaterThan(user.id + ID_GAP);
    await after.store.close();
  });

  it('stays in a failover to a standby that every commit has waited for', async () => {
    const before = await open();
    await before.store.close();
    await server.run(
      "UPDATE meta SET value = CASE key WHEN 'timeline' THEN '00000000' ELSE 'true' END WHERE key IN ('timeline', 'synchronous')",
      url,
    );
    const after = await open();
    expect(after.epoch).toBe(before.epoch);
    await after.store.close();
  });

  it('a server below the timeline that its database has noted is refused: a failover has left it behind', async () => {
    const before = await open();
    await before.store.close();
    await server.run("UPDATE meta SET value = '00000007' WHERE key = 'timeline'", url);
    await expect(open()).rejects.toThrow(
      'left behind by a failover: it is on timeline 1, and notes timeline 7',
    );
    // A person who has restored it says so.
    await server.run("DELETE FROM meta WHERE key = 'epoch'", url);
    const after = await open();
    expect(after.epoch).not.toBe(before.epoch);
    await after.store.close();
  });

  it('when a receipt is older than what it acknowledged, a new epoch begins and the process ends', async () => {
    const process = await open();
    const { user, room } = await newUserAndRoom(process.store);
    await say(process.store, { roomId: room.id, userId: user.id }, ['one', 'two']);
    await server.run('UPDATE writers SET batch = batch - 1 WHERE batch > 0', url);
    void process.store.append({ roomId: room.id, userId: user.id, cid: null, content: 'three', now: NOW });
    await expect
      .poll(() => process.ended, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining('has lost what it had acknowledged'));
    const next = await open();
    expect(next.epoch).not.toBe(process.epoch);
    await next.store.close();
  });

  it('a process that sees another epoch among the heads ends; one that finds a loss begins it', async () => {
    const [one, two] = [await open(), await open()];
    await expect(two.renewEpoch()).rejects.toThrow('has lost what it had acknowledged');
    expect(two.ended).toHaveLength(1);
    await expect(one.store.heads({ roomIds: [], userIds: [] })).rejects.toThrow('failed over');
    expect(one.ended).toEqual([expect.stringContaining('may have lost messages')]);
    // A second process that finds the same loss begins no further epoch.
    const third = await open();
    await expect(one.renewEpoch()).rejects.toThrow();
    expect((await third.store.heads({ roomIds: [], userIds: [] })).epoch).toBe(third.epoch);
    await Promise.all([one, two, third].map(({ store }) => store.close()));
  });
});
