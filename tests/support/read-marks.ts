/** Read marks, as another device of the user would set them. */
import type { Target } from './http.ts';
import { send } from './http.ts';
import { LineClient } from './line-client.ts';
import type { Login } from './users.ts';

/** Makes the user a member of a public room who has read up to a message; returns when that is durable. */
export async function readUpTo(target: Target, login: Login, roomId: number, seq: number): Promise<void> {
  const path = `/api/v1/rooms/${roomId}/members/me`;
  await send(target, path, { method: 'PUT', token: login.accessToken });
  const line = await LineClient.start(target, login);
  const now = line.rooms.find(({ room }) => room.id === roomId)?.me;
  const mark = { room_id: roomId, seq, known: now?.read_set ?? 0 };
  // A new member has read everything that was said before.
  if (now?.read_seq !== seq) {
    line.send({ type: 'read', ...mark, ...(seq < (now?.read_seq ?? 0) && { unread: true }) });
    await line.waitFor('me', ({ room_id, me }) => room_id === roomId && me.read_seq === seq);
  }
  await line.close();
}
