import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CommandRunner } from './command-runner.ts';
import { makeDurable, openForWriting, transaction } from './database.ts';
import type { Sqlite } from './driver/driver.ts';
import { migrate } from './migrate.ts';
import type { WriteCommand } from './worker-messages.ts';

const NOW = 1000;
/** User 1 owns the rooms and is an admin, 4 is a guest. Room 3 is a direct conversation of 1 and 2. */
const WORLD = `
  INSERT INTO users (id, username, username_key, password_hash, created_at, role) VALUES
    (1, 'ann', 'ann', '', 0, 'admin'), (2, 'bo', 'bo', '', 0, 'member'), (3, 'cy', 'cy', '', 0, 'member'),
    (4, 'gus', 'gus', '', 0, 'guest');
  INSERT INTO rooms (id, name, name_key, search_key, owner_id, created_at, kind, members) VALUES
    (1, 'open', 'open', 'open', 1, 0, 'public', 2), (2, 'closed', '\u001f2', 'closed', 1, 0, 'private', 3),
    (3, '', '\u001f3', '', 1, 0, 'dm', 2);
  INSERT INTO members (room_id, user_id, role, joined_at, user_seq) VALUES
    (1, 1, 'owner', 0, 1), (1, 2, 'member', 0, 1), (2, 1, 'owner', 0, 2), (2, 2, 'member', 0, 2),
    (2, 4, 'member', 0, 1), (3, 1, 'member', 0, 3), (3, 2, 'member', 0, 3);
  INSERT INTO user_logs (user_id, seq) VALUES (1, 3), (2, 3), (4, 1);
  INSERT INTO messages (id, room_id, seq, changed_seq, number, kind, user_id, content, created_at) VALUES
    (1, 1, 1, 1, 1, 0, 1, 'one', 0), (2, 1, 2, 2, 2, 0, 2, 'two', 0), (3, 2, 1, 1, 1, 0, 2, 'three', 0),
    (4, 2, 2, 2, 2, 0, 4, 'four', 0), (5, 3, 1, 1, 1, 0, 2, 'five', 0);
  UPDATE rooms SET seq = 2, number = 2 WHERE id < 3;
  UPDATE rooms SET seq = 1, number = 1 WHERE id = 3;`;
const TABLES = ['rooms', 'users', 'members', 'user_logs', 'blocks', 'messages', 'message_revisions']
  .concat(['reactions', 'sessions', 'refresh_tokens', 'audit_log', 'reports', 'inbox', 'thread_members'])
  .map((table) => `SELECT * FROM ${table} ORDER BY 1, 2, 3`);

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roomful-memory-'));
});
afterAll(async () => await rm(folder, { recursive: true }));

function newWorld(): { sqlite: Sqlite; commands: CommandRunner } {
  const sqlite = openForWriting(join(folder, `${++count}.db`));
  makeDurable(sqlite);
  sqlite.exec('PRAGMA synchronous = OFF');
  migrate(sqlite);
  sqlite.exec(WORLD);
  return { sqlite, commands: new CommandRunner(sqlite) };
}

/** What these batches return, one after the other, and what the database holds after them. */
function run(batches: readonly (readonly WriteCommand[])[]) {
  const { sqlite, commands } = newWorld();
  const results: unknown[] = [];
  const failures: string[] = [];
  for (const batch of batches) {
    const done = transaction(sqlite, () => commands.run(batch));
    results.push(...done.results);
    failures.push(...done.failures.map(({ error }) => error));
  }
  const tables = TABLES.map((select) => sqlite.prepare(select).all());
  sqlite.close();
  return { results, failures, tables };
}

const userId = fc.integer({ min: 1, max: 4 });
const roomId = fc.integer({ min: 1, max: 4 });
const messageId = fc.integer({ min: 1, max: 9 });
const on = fc.boolean();
const until = fc.constantFrom(null, NOW - 1, NOW + 1000);
const content = fc.constantFrom('', 'new', 'newer', 'for @bo');
const roomRole = fc.constantFrom('owner' as const, 'moderator' as const, 'member' as const);
const cid = fc.constantFrom(null, 'a', 'b');
const now = fc.constant(NOW);
const of = { roomId, actorId: userId, now };
const reason = fc.constant('');
const target = { ...of, messageId };

/** A command with this name, and arguments as these say. */
function command<Name extends WriteCommand['name']>(
  name: Name,
  args: { [Key in string]: fc.Arbitrary<object | string | number | boolean | null> },
): fc.Arbitrary<WriteCommand> {
  return fc.record(args).map((made) => ({ name, args: made }) as unknown as WriteCommand);
}

const mentions = fc.constant({ names: [['bo']], room: null });
/** What a room's texts are. */
const talk = fc.oneof(
  command('append', { roomId, userId, cid, content, now }),
  command('post', { roomId, userId, cid, content, now, replyTo: messageId }),
  command('post', { roomId, userId, cid, content, now, threadId: messageId }),
  command('editMessage', { ...target, content, baseRevision: fc.nat({ max: 2 }) }),
  command('editMessage', { ...target, content, baseRevision: fc.nat({ max: 2 }), mentions }),
  command('react', { ...target, emoji: fc.constantFrom('🦊', '👍'), on }),
  command('pin', { ...target, on }),
  command('deleteMessage', target),
  command('changeThread', { ...of, threadId: messageId, title: content, resolved: on }),
);
/** What gives rights and takes them away. */
const rule = fc.oneof(
  command('removeMember', { ...of, userId }),
  command('setMember', { ...of, userId, role: roomRole }),
  command('joinRoom', { roomId, userId, now }),
  command('leaveRoom', { roomId, userId, now }),
  command('mute', { ...of, userId, until, reason }),
  command('ban', { ...of, userId, until, reason }),
  command('setSuspended', { actorId: userId, userId, suspended: on, reason, now }),
  command('setRole', { actorId: userId, userId, role: fc.constantFrom('admin', 'member', 'guest'), now }),
  command('setBlock', { userId, blockedId: userId, isBlocked: on }),
  command('changeRoom', {
    ...of,
    patch: fc.constantFrom({ archived: true }, { archived: false }, { topic: 'x' }, { kind: 'private' }),
  }),
  command('deleteRoom', of),
  command('setPrefs', { roomId, userId, hidden: on }),
  fc
    .record({ userId, roomId, seq: fc.nat({ max: 5 }), known: fc.constant(0), unread: on })
    .map((mark): WriteCommand => ({ name: 'markRead', args: [mark] })),
);
/** The second one of a batch fails after it has written. */
const failing = command('createSession', {
  userId,
  passwordHash: fc.constant(''),
  userAgent: fc.constant(''),
  refreshHash: fc.constantFrom('one', 'two'),
  expiresAt: fc.constant(1),
  now,
});
const commands = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: talk },
    { weight: 6, arbitrary: rule },
    { weight: 1, arbitrary: failing },
  ),
  { minLength: 1, maxLength: 30 },
);

it('the commands of a batch have the outcomes, and leave the rows, of the same commands in batches of their own', () => {
  fc.assert(
    fc.property(commands, fc.array(fc.integer({ min: 1, max: 12 })), (all, sizes) => {
      const batches: WriteCommand[][] = [];
      for (let at = 0; at < all.length; ) {
        const size = sizes[batches.length] ?? all.length;
        batches.push(all.slice(at, at + size));
        at += size;
      }
      expect(run(batches)).toEqual(run(all.map((one) => [one])));
    }),
    { numRuns: 150 },
  );
});

const edit = (baseRevision: number, revised = `edit ${baseRevision}`): WriteCommand => ({
  name: 'editMessage',
  args: {
    roomId: 2,
    messageId: 3,
    actorId: 2,
    now: NOW,
    content: revised,
    baseRevision,
    mentions: undefined,
  },
});

it('each right that an earlier command of the batch has taken away is gone', () => {
  const [roomId, userId] = [2, 2];
  const by = { actorId: 1, now: NOW, reason: '' };
  const takers: WriteCommand[] = [
    { name: 'removeMember', args: { roomId, userId, ...by } },
    { name: 'leaveRoom', args: { roomId, userId, now: NOW } },
    { name: 'mute', args: { roomId, userId, until: NOW + 1, ...by } },
    { name: 'ban', args: { roomId, userId, until: NOW + 1, ...by } },
    { name: 'setSuspended', args: { userId, suspended: true, ...by } },
    { name: 'changeRoom', args: { roomId, patch: { archived: true }, ...by } },
    { name: 'deleteRoom', args: { roomId, ...by } },
  ];
  for (const taker of takers) {
    const { results } = run([[edit(0), taker, edit(1)]]);
    const outcomes = results.map((result) => (result as { outcome: string }).outcome);
    expect([taker.name, outcomes[0]]).toEqual([taker.name, 'changed']);
    expect([taker.name, outcomes[2]]).toEqual([
      taker.name,
      expect.stringMatching(/^(room_not_found|not_allowed|user_not_found)$/),
    ]);
  }
});

it('a command that writes to the room between others follows on from them, and they from it', () => {
  const say: WriteCommand = {
    name: 'append',
    args: { roomId: 2, userId: 2, cid: null, content: 'x', now: NOW },
  };
  const topic: WriteCommand = {
    name: 'changeRoom',
    args: { roomId: 2, actorId: 1, now: NOW, patch: { topic: 'new' } },
  };
  const { results, tables } = run([[say, edit(0), topic, say, edit(1)]]);
  expect(results).toMatchObject([
    { seq: 3 },
    { message: { changedSeq: 4 } },
    { notices: [{ seq: 5 }] },
    { seq: 6 },
    { message: { changedSeq: 7 } },
  ]);
  expect(tables[0]).toMatchObject([{ seq: 2 }, { seq: 7, number: 4 }, { seq: 1 }]);
});

it("a command finds the user's row about a room as the command before it, or a text, has left it", () => {
  const prefs = (set: object): WriteCommand => ({
    name: 'setPrefs',
    args: { roomId: 3, userId: 2, ...set },
  });
  // What the row is read for first.
  const pin: WriteCommand = {
    name: 'pin',
    args: { roomId: 3, messageId: 5, actorId: 2, now: NOW, on: true },
  };
  const say: WriteCommand = {
    name: 'append',
    args: { roomId: 3, userId: 1, cid: null, content: 'x', now: NOW },
  };
  const twice = run([[pin, prefs({ starred: true }), prefs({ notify: 'none' })]]).results;
  expect(twice[2]).toMatchObject({ member: { starred: true, notify: 'none' } });
  const shown = run([[prefs({ hidden: true }), pin, say, prefs({ starred: true })]]).results;
  expect(shown[2]).toMatchObject({ outcome: 'stored', shown: [{ userId: 2 }] });
  expect(shown[3]).toMatchObject({ member: { starred: true, hidden: false } });
});
