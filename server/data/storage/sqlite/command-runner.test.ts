import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { READS } from '../queries/queries.ts';
import { CommandRunner } from './command-runner.ts';
import { makeDurable, openForWriting, StepRunner, transaction } from './database.ts';
import type { Sqlite } from './driver/driver.ts';
import { migrate } from './migrate.ts';
import type { WriteCommand } from './worker-messages.ts';

const NOW = 1000;
/** Users: 1 owns the rooms, 2 is a member, 3 is a guest. */
const [OWNER, MEMBER, GUEST] = [1, 2, 3];
const [PUBLIC, PRIVATE] = [1, 2];

let folder: string;
let sqlite: Sqlite;
let commands: CommandRunner;
let steps: StepRunner;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-commands-'));
});
afterAll(async () => await rm(folder, { recursive: true }));
let count = 0;
beforeEach(() => {
  sqlite?.close();
  sqlite = openForWriting(join(folder, `${++count}.db`));
  makeDurable(sqlite);
  migrate(sqlite);
  sqlite.exec(`
    INSERT INTO users (id, username, username_key, password_hash, created_at, role) VALUES
      (1, 'ann', 'ann', '', 0, 'member'), (2, 'bo', 'bo', '', 0, 'member'), (3, 'gus', 'gus', '', 0, 'guest');
    INSERT INTO rooms (id, name, name_key, search_key, owner_id, created_at, kind, members) VALUES
      (1, 'open', 'open', 'open', 1, 0, 'public', 2), (2, 'closed', '\u001f2', 'closed', 1, 0, 'private', 2);
    INSERT INTO members (room_id, user_id, role, joined_at, user_seq) VALUES
      (1, 1, 'owner', 0, 1), (1, 2, 'member', 0, 1), (2, 1, 'owner', 0, 2), (2, 2, 'member', 0, 2);
    INSERT INTO user_logs (user_id, seq) VALUES (1, 2), (2, 2);`);
  steps = new StepRunner(sqlite);
  commands = new CommandRunner(sqlite);
});

const append = (roomId: number, userId: number, now = NOW): WriteCommand => ({
  name: 'append',
  args: { roomId, userId, cid: null, content: 'x', now },
});
/** The outcomes of a batch. */
function commit(...batch: WriteCommand[]): string[] {
  const { results } = transaction(sqlite, () => commands.run(batch));
  return results.map((result) => (result as { outcome: string }).outcome);
}
const post = (roomId: number, userId: number, now?: number) => commit(append(roomId, userId, now))[0];

describe('posting', () => {
  it('a guest posts where they were added, and sees no other room', () => {
    expect([post(PUBLIC, GUEST), post(PRIVATE, GUEST)]).toEqual(['room_not_found', 'room_not_found']);
    const add = { roomId: PUBLIC, actorId: OWNER, userId: GUEST, now: NOW };
    expect(commit({ name: 'setMember', args: add })).toEqual(['changed']);
    expect([post(PUBLIC, GUEST), post(PRIVATE, GUEST)]).toEqual(['stored', 'room_not_found']);
  });

  it('a silenced or banned user may post again once that has ended', () => {
    expect(post(PUBLIC, MEMBER)).toBe('stored');
    // Nothing bans or silences yet, so the rows are written by hand, and this runner has not read them before.
    sqlite.exec(`
      UPDATE members SET silenced_until = 2000 WHERE room_id = 1 AND user_id = 2;
      UPDATE members SET banned_until = 3000 WHERE room_id = 2 AND user_id = 2`);
    commands = new CommandRunner(sqlite);
    expect([post(PUBLIC, MEMBER, 1999), post(PUBLIC, MEMBER, 2000)]).toEqual(['not_allowed', 'stored']);
    expect([post(PRIVATE, MEMBER, 2999), post(PRIVATE, MEMBER, 3000)]).toEqual(['room_not_found', 'stored']);
  });

  it('a ban refuses joining and being added', () => {
    sqlite.exec('UPDATE members SET banned_until = 3000, left_at = 1 WHERE user_id = 2');
    const join = (roomId: number) =>
      commit({ name: 'joinRoom', args: { roomId, userId: MEMBER, now: NOW } })[0];
    const add = { roomId: PRIVATE, actorId: OWNER, userId: MEMBER, now: NOW };
    expect([join(PUBLIC), join(PRIVATE)]).toEqual(['not_allowed', 'room_not_found']);
    expect(commit({ name: 'setMember', args: add })).toEqual(['not_allowed']);
    expect(commit({ name: 'setMember', args: { ...add, now: 3000 } })).toEqual(['changed']);
  });
});

describe('a batch', () => {
  const remove = (userId: number): WriteCommand => ({
    name: 'removeMember',
    args: { roomId: PRIVATE, actorId: OWNER, userId, now: NOW },
  });

  it('a removal refuses the messages after it, in its batch and in later ones; its number is between theirs', () => {
    const say = append(PRIVATE, MEMBER);
    expect(commit(say, remove(MEMBER), say, append(PRIVATE, OWNER))).toEqual([
      ...['stored', 'changed', 'room_not_found', 'stored'],
    ]);
    expect(post(PRIVATE, MEMBER)).toBe('room_not_found');
    expect(sqlite.prepare('SELECT seq, kind FROM messages WHERE room_id = 2 ORDER BY seq').all()).toEqual([
      { seq: 1, kind: 0 },
      { seq: 2, kind: 1 },
      { seq: 3, kind: 0 },
    ]);
    expect(sqlite.prepare('SELECT seq, number FROM rooms WHERE id = 2').all()).toEqual([
      { seq: 3, number: 2 },
    ]);
  });

  it('a removal that was rolled back with its batch refuses nothing', () => {
    const say = append(PRIVATE, MEMBER);
    sqlite.exec('BEGIN');
    commands.run([say, remove(MEMBER), say]);
    sqlite.exec('ROLLBACK');
    expect(post(PRIVATE, MEMBER)).toBe('stored');
  });

  it('a new user posts in the batch that makes them', () => {
    const key = { key: 'cy', looks: ['cy'], isDisguised: false };
    const create = { username: 'cy', ...key, passwordHash: '', now: NOW };
    expect(commit(append(PUBLIC, 4), { name: 'createUser', args: create }, append(PUBLIC, 4))).toEqual([
      ...['user_not_found', 'created', 'stored'],
    ]);
  });
});

describe('a guest', () => {
  it('makes no rooms and no direct conversations, and lists only rooms that they are in', () => {
    const names = { name: 'new', key: 'new', looks: ['new'], isDisguised: false };
    const room = {
      ...names,
      kind: 'public',
      topic: '',
      emoji: null,
      ownerId: GUEST,
      now: NOW,
      maxPerDay: 0,
    } as const;
    const dm = { makerId: GUEST, userIds: [OWNER], now: NOW, maxPerDay: 0 };
    expect(commit({ name: 'createRoom', args: room }, { name: 'createDm', args: dm })).toEqual([
      ...['not_allowed', 'not_allowed'],
    ]);
    const list = () => steps.run(READS.listRooms({ limit: 9, userId: GUEST })).map(({ id }) => id);
    expect(list()).toEqual([]);
    commit({ name: 'setMember', args: { roomId: PRIVATE, actorId: OWNER, userId: GUEST, now: NOW } });
    expect(list()).toEqual([PRIVATE]);
  });

  it('adds those alone with whom they share a room', () => {
    const add = { roomId: PUBLIC, actorId: OWNER, userId: GUEST, now: NOW };
    commit({ name: 'setMember', args: add });
    sqlite.exec(
      `INSERT INTO users (id, username, username_key, password_hash, created_at) VALUES (4, 'x', 'x', '', 0)`,
    );
    const by = (userId: number) => commit({ name: 'setMember', args: { ...add, actorId: GUEST, userId } })[0];
    expect([by(4), by(MEMBER)]).toEqual(['user_not_found', 'unchanged']);
  });
});

describe('unread', () => {
  it('deleted texts and replies in threads do not count', () => {
    commit(...Array.from({ length: 5 }, () => append(PUBLIC, OWNER)));
    const unread = () => steps.run(READS.unread({ userId: MEMBER, roomIds: [PUBLIC] }))[0]?.unread;
    expect(unread()).toBe(5);
    // Nothing deletes or replies yet, so the rows are written by hand.
    sqlite.exec(`
      UPDATE messages SET deleted_at = 1 WHERE seq = 2;
      UPDATE messages SET thread_id = 1 WHERE seq = 4`);
    expect(unread()).toBe(3);
  });
});
