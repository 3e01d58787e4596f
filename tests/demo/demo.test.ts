/** `npm run demo` in its own process, with the real server and users that connect with the SDK. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ME } from '../../demo/people.ts';
import { ARCHIVED_ROOM, LINES, PRIVATE_ROOM } from '../../demo/script.ts';
import { PASSWORD } from '../../demo/seed.ts';
import { loginResponse } from '../../protocol/rest/accounts.ts';
import { myRoomsResponse, roomsResponse } from '../../protocol/rest/rooms.ts';
import type { Room, RoomEntry } from '../../protocol/rooms.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { post, send, type Target } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory } from '../support/users.ts';

const main = fileURLToPath(new URL('../../demo/main.js', import.meta.url));

async function listRooms(target: Target, login: Login): Promise<Room[]> {
  return expectReply(await send(target, '/api/v1/rooms', { token: login.accessToken }), 200, roomsResponse)
    .rooms;
}

/** Where there are notices and threads, which take numbers, too. */
const SCRIPTED = new Set([...LINES.map(({ room }) => room), ARCHIVED_ROOM, 'General']);

function said(rooms: Room[]): number {
  return rooms.reduce((total, { seq }) => total + seq, 0);
}

test('it has 12 rooms and two of the reader, 5000 messages and users who are online and talk, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-demo-test-'));
  await using demo = await ServerProcess.start({ main, env: { TMPDIR: folder } });
  const maya = await logIn(demo, ME, PASSWORD);

  const rooms = await listRooms(demo, maya);
  expect(rooms).toHaveLength(14);
  expect(said(rooms)).toBeGreaterThanOrEqual(5000);
  for (const room of rooms) {
    const seqs = (await readHistory(demo, maya, room.id)).map(({ seq }) => seq);
    if (SCRIPTED.has(room.name)) expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    else expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  }

  await eventually('people who are online', async () => {
    const listed = await listRooms(demo, maya);
    return listed.filter(({ online }) => online > 0).length >= 10 ? listed : undefined;
  });
  await eventually(
    'somebody who says something',
    async () => (said(await listRooms(demo, maya)) > said(rooms) ? true : undefined),
    60_000,
  );
  // The seeded history is like any other: the room goes on from it.
  await createRoom(demo, maya, 'One more');

  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
}, 120_000);

test('who signs in first finds four rooms unread, a mention, a direct message, stars, a thread, pins, an archived room, and pictures', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-demo-test-'));
  await using demo = await ServerProcess.start({ main, args: ['--quiet'], env: { TMPDIR: folder } });
  const [, code] =
    /^ {2}Sign in as Maya {2}http:\/\/localhost:\d+\/sign-in\/([\w-]{22}) /m.exec(demo.stdout) ?? [];
  const byLink = await post(demo, '/api/v1/auth/sign-in-link', { code });
  expect(expectReply(byLink, 200, loginResponse).user.username).toBe(ME);
  const maya = await logIn(demo, ME, PASSWORD);
  const ask = async (path: string) => await send(demo, `/api/v1${path}`, { token: maya.accessToken });
  const entries = await eventually('the mention', async () => {
    const { rooms } = expectReply(await ask('/me/rooms'), 200, myRoomsResponse);
    return rooms.some(({ mentions = 0 }) => mentions > 0) ? rooms : undefined;
  });
  const named = (wanted: (entry: RoomEntry) => boolean) =>
    entries.filter(wanted).map(({ room }) => room.name);

  expect(named(({ room, unread = 0 }) => room.kind !== 'dm' && unread > 0).sort()).toEqual(
    ['Backend', 'Deploys', 'Support', '上海办公室'].sort(),
  );
  expect(entries.filter(({ room, unread = 0 }) => room.kind === 'dm' && unread > 0)).toHaveLength(1);
  expect(named(({ mentions = 0 }) => mentions > 0)).toEqual(['Backend']);
  expect(named(({ me }) => me.starred).sort()).toEqual(['General', 'Release 2.4']);
  expect(named(({ room }) => room.archived)).toEqual([ARCHIVED_ROOM]);
  expect(named(({ room }) => room.kind === 'private')).toEqual([PRIVATE_ROOM]);
  expect(named(({ room }) => room.is_default === true)).toEqual(['General']);
  const release = entries.find(({ room }) => room.name === 'Release 2.4')?.room.id;
  const pins = (await ask(`/rooms/${release}/pins`)).json as { messages: unknown[] };
  const threads = (await ask(`/rooms/${release}/threads`)).json as { threads: unknown[] };
  expect([pins.messages.length, threads.threads.length]).toEqual([1, 1]);
  const { emoji } = (await ask('/emoji')).json as { emoji: { name: string }[] };
  expect(emoji.map(({ name }) => name)).toEqual(['green-build', 'northwind', 'oat-latte', 'ship-it']);
  const me = (await ask('/me')).json as { avatar?: string };
  expect(me.avatar).toMatch(/^[\w-]{22}$/);
  const said = (await ask(`/rooms/${release}/messages?limit=100`)).json as {
    messages: { reactions?: { emoji: string; count: number }[] }[];
  };
  const reactions = said.messages.flatMap((message) => message.reactions ?? []);
  expect(reactions).toContainEqual(expect.objectContaining({ emoji: ':ship-it:', count: 3 }));

  expect(await demo.stop('SIGINT')).toEqual({ code: 0, signal: null });
  await rm(folder, { recursive: true });
}, 120_000);
