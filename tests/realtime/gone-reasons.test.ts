/** A room that is closed while a client has it open says how it was lost, at once or when the client comes back. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GoneReason } from '../../protocol/frames/v2.ts';
import { send } from '../support/http.ts';
import { LineClient } from '../support/line-client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { addMember, createRoom, type Login, signUp, uniqueName } from '../support/users.ts';

let server: ServerProcess;
let ann: Login;
beforeAll(async () => {
  server = await ServerProcess.start();
  ann = await signUp(server);
});
afterAll(async () => await server?.dispose());

interface Loss {
  kind: 'public' | 'private';
  isMember: boolean;
  reason: GoneReason;
  cause: (roomId: number, bo: Login) => Promise<void>;
}

async function act(login: Login, method: string, path: string, json?: object): Promise<void> {
  const { status, text } = await send(server, `/api/v1${path}`, {
    method,
    token: login.accessToken,
    ...(json && { json }),
  });
  expect(status, text).toBeLessThan(300);
}

const LOSSES: Record<string, Loss> = {
  'the owner removes a member': {
    ...{ kind: 'private', isMember: true, reason: 'removed' },
    cause: (roomId, bo) => act(ann, 'DELETE', `/rooms/${roomId}/members/${bo.userId}`),
  },
  'the owner bans a member': {
    ...{ kind: 'private', isMember: true, reason: 'removed' },
    cause: (roomId, bo) => act(ann, 'PUT', `/rooms/${roomId}/bans/${bo.userId}`, {}),
  },
  'another device leaves': {
    ...{ kind: 'private', isMember: true, reason: 'left' },
    cause: (roomId, bo) => act(bo, 'DELETE', `/rooms/${roomId}/members/me`),
  },
  'another device leaves a public room': {
    ...{ kind: 'public', isMember: true, reason: 'left' },
    cause: (roomId, bo) => act(bo, 'DELETE', `/rooms/${roomId}/members/me`),
  },
  'the owner deletes a private room': {
    ...{ kind: 'private', isMember: true, reason: 'deleted' },
    cause: (roomId) => act(ann, 'DELETE', `/rooms/${roomId}`),
  },
  'the owner deletes a public room of the user': {
    ...{ kind: 'public', isMember: true, reason: 'deleted' },
    cause: (roomId) => act(ann, 'DELETE', `/rooms/${roomId}`),
  },
  'the owner deletes a public room of others': {
    ...{ kind: 'public', isMember: false, reason: 'deleted' },
    cause: (roomId) => act(ann, 'DELETE', `/rooms/${roomId}`),
  },
  'the owner makes the room private': {
    ...{ kind: 'public', isMember: false, reason: 'made_private' },
    cause: (roomId) => act(ann, 'PATCH', `/rooms/${roomId}`, { kind: 'private' }),
  },
};

/** A room, and a user who may read it. */
async function arrange({ kind, isMember }: Loss): Promise<{ roomId: number; bo: Login }> {
  const [{ id: roomId }, bo] = [
    await createRoom(server, ann, uniqueName('room'), kind),
    await signUp(server),
  ];
  if (isMember) await addMember(server, ann, roomId, bo.userId);
  return { roomId, bo };
}

describe.each(Object.entries(LOSSES))('%s', (_, loss) => {
  test(`gone says ${loss.reason}, and nothing of the room follows`, async () => {
    const { roomId, bo } = await arrange(loss);
    const line = await LineClient.start(server, bo);
    await line.look(roomId);
    const from = line.mark();
    await loss.cause(roomId, bo);
    const isIt = (frame: { room_id?: number | undefined }) => frame.room_id === roomId;
    expect(await line.waitFor('gone', isIt, from)).toMatchObject({ reason: loss.reason });
    await line.settle();
    expect(line.frames.filter((frame) => 'room_id' in frame && isIt(frame)).at(-1)).toMatchObject({
      type: 'gone',
    });
    await line.close();
  });

  if (loss.isMember) {
    test(`a client that was away hears ${loss.reason} before the room is refused to it`, async () => {
      const { roomId, bo } = await arrange(loss);
      const before = await LineClient.start(server, bo);
      await before.enter(roomId);
      const { epoch, user_seq } = before.hello;
      await before.close();
      await loss.cause(roomId, bo);
      const line = await LineClient.open(server, bo);
      line.send({ type: 'start', epoch, user_seq, rooms: { [roomId]: 0 } });
      line.send({ type: 'open', room_id: roomId });
      expect(await line.waitFor('gone')).toMatchObject({ room_id: roomId, reason: loss.reason });
      if (loss.kind === 'private' || loss.reason === 'deleted') {
        await line.waitFor('error', ({ code }) => code === 'room_not_found');
        const types = line.frames.map(({ type }) => type);
        expect(types.indexOf('gone')).toBeLessThan(types.indexOf('error'));
      }
      await line.close();
    });
  }
});

test('a stranger hears nothing of how a private room was lost to others', async () => {
  const { id: roomId } = await createRoom(server, ann, uniqueName('room'), 'private');
  const bo = await signUp(server);
  const line = await LineClient.start(server, bo, { start: { rooms: { [roomId]: 0 } } });
  line.send({ type: 'open', room_id: roomId });
  await line.waitFor('error', ({ code }) => code === 'room_not_found');
  await act(ann, 'DELETE', `/rooms/${roomId}`);
  line.send({ type: 'open', room_id: roomId });
  await line.waitForCount('error', 2);
  expect(line.of('gone')).toEqual([]);
  await line.close();
});
