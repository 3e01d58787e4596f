/** The user of the pictures has been here before: member of all rooms, most of them read, some people written to. */
import { portraits } from '../../../demo/looks.ts';
import { PASSWORD, type SeededWorld } from '../../../demo/seed.ts';
import { send } from '../../support/http.ts';
import { LineClient } from '../../support/line-client.ts';
import { bearer } from '../../support/sent-files.ts';
import type { ServerProcess } from '../../support/server-process.ts';
import { createRoom, type Login, logIn } from '../../support/users.ts';
import {
  ARCHIVED_ROOM,
  DIRECT,
  MUTED,
  ONLINE,
  PRIVATE_ROOM,
  ROOMS,
  type RoomKey,
  STARRED,
  UNREAD,
} from './script.ts';

/** Everything that the user has done before the pictures are taken. The people who are online stay so. */
export async function settleIn(server: ServerProcess, me: Login, seeded: SeededWorld): Promise<void> {
  const ask = async (method: string, path: string, json?: unknown) => {
    const reply = await send(server, `/api/v1${path}`, { method, token: me.accessToken, json });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.json;
  };
  for (const id of seeded.roomIds.values()) await ask('PUT', `/rooms/${id}/members/me`);
  const idOf = (key: RoomKey) => seeded.roomIds.get(ROOMS[key]);
  for (const key of STARRED) await ask('PUT', `/rooms/${idOf(key)}/prefs`, { starred: true });
  for (const key of MUTED) await ask('PUT', `/rooms/${idOf(key)}/prefs`, { notify: 'none' });
  await createRoom(server, me, PRIVATE_ROOM, 'private');
  const { id: archivedId } = await createRoom(server, me, ARCHIVED_ROOM);
  await ask('PATCH', `/rooms/${archivedId}`, { archived: true });
  await readAll(server, me);
  for (const name of ONLINE) await LineClient.start(server, await logIn(server, name, PASSWORD));
  for (const { people, says } of DIRECT) {
    const user_ids = people.map((name) => seeded.userIds.get(name));
    const { id } = (await ask('POST', '/dms', { user_ids })) as { id: number };
    if (says.length === 0) continue;
    const other = await LineClient.start(server, await logIn(server, people[0] ?? '', PASSWORD));
    for (const content of says) await other.post(id, content);
    await other.close();
  }
}

/** Some people have a picture, as in the demo; the others have their initials. */
export async function givePictures(server: ServerProcess, seeded: SeededWorld): Promise<void> {
  for (const [name, draw] of portraits()) {
    if (!seeded.userIds.has(name)) continue;
    const headers = bearer(await logIn(server, name, PASSWORD));
    const { status } = await fetch(`${server.url}/api/v1/me/avatar`, {
      method: 'PUT',
      headers,
      body: draw(),
    });
    if (status !== 200) throw new Error(`the picture of ${name}: ${status}`);
  }
}

/** Reads all rooms, but for the last messages of some. */
async function readAll(server: ServerProcess, me: Login): Promise<void> {
  const unread = new Map(
    Object.entries(UNREAD).map(([key, count]) => [ROOMS[key as RoomKey] as string, count]),
  );
  const line = await LineClient.start(server, me);
  for (const { room, seq, me: membership } of line.rooms) {
    const upTo = seq - (unread.get(room.name) ?? 0);
    const lower = upTo < membership.read_seq ? { unread: true as const } : {};
    if (upTo === membership.read_seq) continue;
    line.send({ type: 'read', room_id: room.id, seq: upTo, known: membership.read_set, ...lower });
    await line.waitFor('me', ({ room_id, me: now }) => room_id === room.id && now.read_seq === upTo);
  }
  await line.close();
}
