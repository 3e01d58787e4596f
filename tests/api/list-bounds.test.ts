/** Every list has a bound of bytes. One that does not fit is cut, and goes on where it was cut. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { PAGE_MAX_CHARACTERS } from '../../protocol/limits.ts';
import { inDatabaseOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { send } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';
import { ChatClient } from '../support/ws-client.ts';

/** As JSON six times as long, which is the longest: 43 of them fit. */
const LONG = `x${'\u0001'.repeat(3999)}`;
const ROWS = 60;
/** What a response has beside its rows. */
const FRAME = 500;

type Row = Record<string, never>;
type Page = Record<string, unknown> & { has_more?: boolean };

/** How to read a list: its rows, and what asks for the next page, from the last row of this one or the page itself. */
interface List {
  /** The path, with `ROOM` and `MESSAGE` in place of the ids. */
  path: string;
  rows: string;
  count?: number;
  next(last: Row, page: Page): Record<string, unknown> | null;
}

const byMore = (next: (last: Row) => Record<string, unknown>) => (last: Row, page: Page) =>
  page.has_more ? next(last) : null;
const at = (row: unknown, ...names: string[]) =>
  names.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], row);

/** Lists whose rows may be large together: each is read to its end. */
const CUT: Record<string, List> = {
  'GET /api/v1/rooms/:id/messages': {
    ...{ path: '/rooms/ROOM/messages?limit=200', rows: 'messages' },
    next: byMore((_) => ({})),
  },
  'GET /api/v1/rooms/:id/pins': {
    ...{ path: '/rooms/ROOM/pins?', rows: 'messages' },
    next: byMore((last) => ({ before_id: at(last, 'id'), before_time: at(last, 'pinned_at') })),
  },
  'GET /api/v1/rooms/:id/threads': {
    ...{ path: '/rooms/ROOM/threads?limit=100', rows: 'threads' },
    next: (_, { next_before_seq: before }) => (before === null ? null : { before_seq: before }),
  },
  'GET /api/v1/rooms/:id/threads/:thread_id/messages': {
    ...{ path: '/rooms/ROOM/threads/MESSAGE/messages?limit=200', rows: 'messages' },
    next: byMore((_) => ({})),
  },
  'GET /api/v1/rooms/:id/messages/:message_id/revisions': {
    ...{ path: '/rooms/ROOM/messages/MESSAGE/revisions?', rows: 'revisions', count: 50 },
    next: byMore((last) => ({ from_revision: Number(at(last, 'revision')) + 1 })),
  },
  'GET /api/v1/me/saved': {
    ...{ path: '/me/saved?limit=100', rows: 'saved' },
    next: byMore((last) => ({ before_user_seq: at(last, 'user_seq') })),
  },
  'GET /api/v1/me/inbox': {
    ...{ path: '/me/inbox?limit=100', rows: 'entries' },
    next: byMore((last) => ({ before_id: at(last, 'message', 'id') })),
  },
  'GET /api/v1/search': {
    ...{ path: '/search?limit=50&q=from:me', rows: 'results', count: 2 * ROWS },
    next: (_, { next_before_id: before }) => (before === null ? null : { before_id: before }),
  },
  'GET /api/v1/me/threads': {
    ...{ path: '/me/threads?', rows: 'threads' },
    next: byMore((last) => ({
      ...{ before_id: at(last, 'root', 'id'), before_time: at(last, 'root', 'thread', 'last_at') },
    })),
  },
  'GET /api/v1/rooms': {
    ...{ path: '/rooms?limit=500', rows: 'rooms', count: 401 },
    next: byMore((last) => ({ before_id: at(last, 'id') })),
  },
  'GET /api/v1/me/rooms': {
    ...{ path: '/me/rooms?', rows: 'rooms', count: 401 },
    next: byMore((last) => ({ after_id: at(last, 'room', 'id') })),
  },
  'GET /api/v1/me/blocks': {
    ...{ path: '/me/blocks?', rows: 'users', count: 600 },
    next: byMore((last) => ({ after_id: at(last, 'id') })),
  },
};

/** Lists with so few and so small rows: their largest number, and the most characters of one as JSON. */
const SMALL: Record<string, [rows: number, characters: number]> = {
  // 20 emoji by 200 people, whose names have 64 characters.
  'GET /api/v1/rooms/:id/messages/:message_id/reactions': [20 * 200, 200],
  'GET /api/v1/rooms/:id/members': [200, 500],
  // The name has 255 bytes, and what stands for it 500 characters, each of which may take six.
  'GET /api/v1/rooms/:id/files': [100, 600 + 3000 + 500],
  'GET /api/v1/rooms/:id/restricted': [500, 400],
  'GET /api/v1/rooms/:id/audit': [100, 4000],
  // The excerpt has 1000 characters, each of which may take six.
  'GET /api/v1/rooms/:id/reports': [100, 6000 + 2000 + 1500],
  'GET /api/v1/rooms/:id/invites': [50, 400],
  'GET /api/v1/users': [100, 1000],
  'GET /api/v1/emoji': [1000, 200],
  'GET /api/v1/me/sessions': [200, 2000],
  'GET /api/v1/me/audit': [100, 4000],
  'GET /api/v1/admin/users': [100, 600],
  'GET /api/v1/admin/invites': [50, 400],
  'GET /api/v1/admin/audit': [100, 4000],
  'GET /api/v1/admin/registrations': [100, 300],
  'GET /api/v1/admin/reports': [100, 6000 + 2000 + 1500],
  'GET /api/v1/admin/rooms/deleted': [500, 600],
};

/** No lists. */
const SINGLE: ReadonlySet<string> = new Set([
  'GET /health',
  'GET /healthz',
  'GET /ready',
  'GET /version',
  'GET /ws',
  'GET /api/v1/asyncapi.json',
  'GET /api/v1/openapi.json',
  'GET /api/v1/server',
  'GET /api/v1/uploads/:key',
  'GET /api/v1/invites/:code',
  'GET /api/v1/me',
  'GET /api/v1/me/push/key',
  'GET /api/v1/rooms/:id',
  'GET /api/v1/rooms/:id/messages/:message_id',
  'GET /api/v1/rooms/:id/messages/:message_id/why',
  'GET /api/v1/admin/usage',
]);

let server: ServerProcess;
let ann: Login;
let [roomId, messageId, replyTo] = [0, 0, 0];
beforeAll(async () => {
  server = await ServerProcess.start({ env: { MESSAGES_PER_SECOND: '0', RATE_LIMIT_PER_SECOND: '0' } });
  ann = await signUp(server);
  roomId = (await createRoom(server, ann)).id;
  const socket = await ChatClient.enter(server, ann, roomId);
  for (let count = 0; count < 2 * ROWS; count++) socket.say('short');
  const messages = await socket.waitForCount('message', 2 * ROWS);
  await socket.close();
  const [first, second] = [messages[0]?.id ?? 0, messages[ROWS]?.id ?? 0];
  messageId = second;
  replyTo = first;
  await fill(first, second);
  const last = messages.at(-1)?.id;
  await eventually(
    'the index, which takes the texts of a room in their order, has the last one',
    async () => {
      const { json } = await send(server, '/api/v1/search?limit=1&q=from:me', { token: ann.accessToken });
      const [found] = (json as Page).results as Row[];
      return found && at(found, 'message', 'id') === last ? true : undefined;
    },
  );
}, 120_000);
afterAll(async () => await server?.dispose());

/** Half of the messages are replies to the first of the others, which are pinned, saved, in the inbox, and roots. */
async function fill(first: number, root: number): Promise<void> {
  const run = (statement: string, ...values: (string | number)[]) =>
    inDatabaseOf(server, statement, ...values);
  const user = ann.userId;
  await run('UPDATE messages SET content = ? WHERE room_id = ?', LONG, roomId);
  await run('UPDATE messages SET thread_id = ? WHERE id >= ? AND id < ?', root, first, root);
  // Three of them were pinned in each millisecond.
  await run('UPDATE messages SET pinned_at = id / 3, thread_last_seq = seq WHERE id >= ?', root);
  const thread = `'{"thread":{"replies":1,"last_seq":' || seq || ',"last_at":"2026-01-01T00:00:00.000Z","people":[]}}'`;
  await run(`UPDATE messages SET extra = ${thread} WHERE id >= ?`, root);
  const rows = 'FROM messages WHERE id >= ?';
  await run(
    `INSERT INTO saved (user_id, room_id, message_id, saved_at, user_seq) SELECT user_id, room_id, id, 0, seq ${rows}`,
    root,
  );
  await run(
    `INSERT INTO thread_members (user_id, room_id, thread_id, following, user_seq)
     SELECT user_id, room_id, id, 2, seq ${rows}`,
    root,
  );
  await run(
    `INSERT INTO inbox (user_id, room_id, message_id, seq, reason, created_at, user_seq)
     SELECT user_id, room_id, id, seq, 'mention', 0, seq ${rows}`,
    root,
  );
  await run(
    `INSERT INTO message_revisions (room_id, message_id, revision, content, edited_at)
     SELECT room_id, ?, id - ?, content, 0 FROM messages WHERE id >= ? AND id < ?`,
    ...[root, root, root, root + 50],
  );
  const description = '"'.repeat(2000);
  const numbers = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${600})`;
  const insert = (into: string, select: string, upTo: number) =>
    run(
      server.databaseUrl === undefined
        ? `INSERT INTO ${into} ${numbers} SELECT ${select} FROM n WHERE n <= ${upTo}`
        : `INSERT INTO ${into} SELECT ${select} FROM generate_series(1, ${upTo}) AS n`,
    );
  await insert(
    'rooms (name, name_key, owner_id, created_at, kind, description, members)',
    `'room ' || n, 'room ' || n, ${user}, 0, 'public', '${description}', 1`,
    400,
  );
  await run(
    `INSERT INTO members (room_id, user_id, role, joined_at, user_seq)
     SELECT id, owner_id, 'owner', 0, 0 FROM rooms WHERE id <> ?`,
    roomId,
  );
  await insert(
    'users (username, username_key, password_hash, created_at)',
    `'user ' || n, 'user ' || n, '', 0`,
    600,
  );
  await run(
    `INSERT INTO blocks (user_id, blocked_id, user_seq, removed) SELECT ${user}, id, 0, 0 FROM users WHERE id <> ?`,
    user,
  );
}

it('each route that reads is in one of the three tables', async () => {
  const { json } = await send(server, '/api/v1/openapi.json');
  const routes = Object.entries((json as { paths: Record<string, object> }).paths).flatMap(
    ([path, methods]) => ('get' in methods ? [`GET ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`] : []),
  );
  expect(routes.length).toBeGreaterThan(30);
  expect([...Object.keys(CUT), ...Object.keys(SMALL), ...SINGLE].sort()).toEqual(routes.sort());
});

test.each(Object.entries(SMALL))('%s: its rows at their largest fit', (_, [rows, characters]) => {
  expect(rows * characters).toBeLessThanOrEqual(PAGE_MAX_CHARACTERS);
});

describe('a list that does not fit into 1 Mi characters is cut, and goes on from there to its end', () => {
  test.each(Object.entries(CUT))('%s', async (name, { path, rows: field, count = ROWS, next }) => {
    const base = `/api/v1${path.replace('ROOM', String(roomId)).replace('MESSAGE', String(messageId))}`;
    const seen: unknown[] = [];
    let [pages, more]: [number, Record<string, unknown> | null] = [0, {}];
    while (more !== null && pages < 200) {
      const query = new URLSearchParams(more as Record<string, string>).toString();
      const url = query === '' ? base : `${base}${base.endsWith('?') ? '' : '&'}${query}`;
      const reply = await send(server, url, { token: ann.accessToken });
      expect(reply.status).toBe(200);
      const page = reply.json as Page;
      const rows = page[field] as Row[];
      // The time for one page of the search may be over before it has found anything.
      if (page.is_complete !== false) expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows).length).toBeLessThanOrEqual(PAGE_MAX_CHARACTERS);
      // The root of a thread comes beside its replies.
      expect(reply.text.length).toBeLessThanOrEqual(PAGE_MAX_CHARACTERS + FRAME + 25_000);
      seen.push(...rows.map((row) => JSON.stringify(row)));
      pages++;
      const [outer = {}] = name.endsWith('/messages') ? rows : rows.slice(-1);
      more = next(outer, page);
      if (more !== null && name.endsWith('/messages')) more = { before_id: at(outer, 'id') };
    }
    expect(pages).toBeGreaterThan(1);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(name === 'GET /api/v1/rooms/:id/messages' ? 2 * ROWS : count);
  });
});

it('a place in a list is both its id and its time', async () => {
  const path = `/api/v1/rooms/${roomId}/pins?before_id=${replyTo}`;
  expect((await send(server, path, { token: ann.accessToken })).status).toBe(400);
});
