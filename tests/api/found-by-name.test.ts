/** `GET /users?q=` and `GET /rooms?q=`: what people type for a name, also for names from before the present rules. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usersResponse } from '../../protocol/rest/people.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import { openDatabase } from '../../server/data/storage/sqlite/driver/open.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess, whyNotEmbedded } from '../support/server-process.ts';
import { createRoom, type Login, signUp } from '../support/users.ts';

let server: ServerProcess;
let zoe: Login;
beforeAll(async () => {
  server = await ServerProcess.start({ env: { RATE_LIMIT_EXEMPT: '127.0.0.0/8' } });
  for (const name of [
    'Jürgen Müller',
    'Nguyễn Văn',
    'Łukasz',
    'Ελένη',
    'O’Brien',
    'mary-jane',
    'Anna Lee Kim',
  ])
    await signUp(server, name);
  zoe = await signUp(server, 'zq');
  await send(server, '/api/v1/me', {
    ...{ method: 'PATCH', token: zoe.accessToken, json: { display_name: 'Zoë Quinn' } },
  });
  for (const name of ['Café talk', 'Übersicht', 'São Paulo', 'team-alpha'])
    await createRoom(server, zoe, name);
}, 120_000);
afterAll(async () => await server?.dispose());

async function people(q: string): Promise<string[]> {
  const path = `/api/v1/users?q=${encodeURIComponent(q)}`;
  const { users } = expectReply(await send(server, path, { token: zoe.accessToken }), 200, usersResponse);
  return users.map(({ username }) => username);
}

async function rooms(q: string): Promise<string[]> {
  const path = `/api/v1/rooms?q=${encodeURIComponent(q)}`;
  const found = expectReply(await send(server, path, { token: zoe.accessToken }), 200, roomsResponse);
  return found.rooms.map(({ name }) => name);
}

const PEOPLE = [
  ['Jürgen Müller', ['jurgen', 'muller', 'jurgen mu', 'Jürgen', 'MÜLLER']],
  ['Nguyễn Văn', ['nguyen', 'van']],
  ['Łukasz', ['lukasz', 'łuk']],
  ['Ελένη', ['ελενη', 'ΕΛΈΝΗ']],
  ['O’Brien', ["o'brien", 'o’brien', 'obrien', 'brien']],
  ['zq', ['@zoe', 'zoe q', 'quinn', '@zq']],
  ['mary-jane', ['mary j', 'mary-j', 'mary_jane']],
  ['Anna Lee Kim', ['@Anna L', 'lee kim']],
] as const;
const ROOMS = [
  ['Café talk', ['cafe', 'café', 'caf\u0065\u0301']],
  ['Übersicht', ['ubersicht', 'sicht']],
  ['São Paulo', ['sao', 'sao p', 'paulo']],
  ['team-alpha', ['team alpha', 'team_alpha', '#team-al']],
] as const;

describe('a name is found without accents, capitals and punctuation', () => {
  test.each(PEOPLE)('%s, a person', async (name, typed) => {
    for (const q of typed) expect([q, await people(q)]).toEqual([q, [name]]);
  });

  test.each(ROOMS)('%s, a room', async (name, typed) => {
    for (const q of typed) expect([q, await rooms(q)]).toEqual([q, [name]]);
  });
});

test('names stay distinct: jurgen is nobody who is mentioned, and may be registered beside Jürgen', async () => {
  const [plain, marked] = [await signUp(server, 'jorg'), await signUp(server, 'Jörg')];
  const room = await createRoom(server, zoe);
  const line = await LineClient.start(server, zoe);
  await line.enter(room.id);
  const mentionsOf = async (content: string) => {
    line.send({ type: 'message', room_id: room.id, content, cid: content });
    const { mentions } = await line.waitFor('message', ({ cid }) => cid === content);
    return mentions;
  };
  expect(await mentionsOf('@jorg')).toEqual([plain.userId]);
  expect(await mentionsOf('@jörg')).toEqual([marked.userId]);
  expect(await mentionsOf('@jurgen')).toBeUndefined();
  await line.close();
});

// On PostgreSQL: tests/postgres/migrations.test.ts.
test.skipIf(whyNotEmbedded() !== undefined)(
  'names from before are found after the next start',
  async () => {
    await server.stop();
    const sqlite = openDatabase(join(server.dataDir, 'data', 'roomful.db'), { timeoutMs: 5000 });
    sqlite.exec(`DELETE FROM user_words; DELETE FROM user_looks; UPDATE users SET name_form = 0;
    UPDATE rooms SET name_form = 0, search_key = lower(name)`);
    sqlite.close();
    await server.restart();
    for (const [name, [q]] of PEOPLE) expect(await people(q)).toEqual([name]);
    for (const [name, [q]] of ROOMS) expect(await rooms(q)).toEqual([name]);
  },
  120_000,
);
