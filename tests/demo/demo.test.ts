/** `npm run demo` in its own process, with the real server and users that connect with the SDK. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ME } from '../../demo/people.ts';
import { PASSWORD } from '../../demo/seed.ts';
import { roomsResponse } from '../../protocol/rest/rooms.ts';
import type { Room } from '../../protocol/rooms.ts';
import { eventually } from '../support/eventually.ts';
import { expectReply } from '../support/expect-reply.ts';
import { send, type Target } from '../support/http.ts';
import { ServerProcess } from '../support/server-process.ts';
import { createRoom, type Login, logIn, readHistory } from '../support/users.ts';

const main = fileURLToPath(new URL('../../demo/main.js', import.meta.url));

async function listRooms(target: Target, login: Login): Promise<Room[]> {
  return expectReply(await send(target, '/api/v1/rooms', { token: login.accessToken }), 200, roomsResponse)
    .rooms;
}

function said(rooms: Room[]): number {
  return rooms.reduce((total, { seq }) => total + seq, 0);
}

test('it has 12 rooms with 5000 messages and users who are online and talk, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-demo-test-'));
  await using demo = await ServerProcess.start({ main, env: { TMPDIR: folder } });
  const maya = await logIn(demo, ME, PASSWORD);

  const rooms = await listRooms(demo, maya);
  expect(rooms).toHaveLength(12);
  expect(said(rooms)).toBeGreaterThanOrEqual(5000);
  for (const room of rooms) {
    const history = await readHistory(demo, maya, room.id);
    expect(history.map(({ seq }) => seq)).toEqual(history.map((_, index) => index + 1));
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
