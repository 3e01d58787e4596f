import { afterEach, expect, test } from 'vitest';
import { ApiError, type Requests } from '../../../client/index.ts';
import { roomInfo } from '../../../client/testing/hello.ts';
import { RoomStage, soon } from '../../../client/testing/room-stage.ts';
import { entry } from '../../../client/testing/rooms-actions.ts';
import { localStore } from '../stores/device.ts';
import { adoptReadMarks } from './adopt-read-marks.ts';

const KEY = 'chat_read:1';
let stage: RoomStage;

afterEach(() => stage.stop());

test('the mark of a room that is joined waits until the room is on the list, and is at its head at most', async () => {
  stage = await RoomStage.start();
  const { list, user } = stage.signIn();
  list.subscribe(() => {});
  await soon(() => list.state.phase === 'live');
  localStore.setItem(KEY, JSON.stringify({ 2: 4, 3: 99 }));
  const joined: string[] = [];
  const requests: Requests = {
    ask: async (_method, path) => {
      joined.push(path);
      return roomInfo(2) as never;
    },
    tell: async () => {},
    send: async () => new Response(),
  };
  const markUnread = (roomId: number, seq: number) => list.markUnread(roomId, seq);
  const adopted = adoptReadMarks({ rooms: list, markUnread, api: { requests } }, KEY);
  for (const [index, room] of [entry(2, 10, 10), entry(3, 12, 12)].entries()) {
    await soon(() => joined.length === index + 1);
    // Joining has had its response.
    await new Promise((resolve) => setTimeout(resolve, 5));
    stage.server.entries.push(room);
    user.line.send({ type: 'unread', room_ids: [room.room.id] });
  }
  await adopted;
  expect(list.state.rooms.get(2)).toMatchObject({ readSeq: 4 });
  expect(list.state.rooms.get(3)).toMatchObject({ readSeq: 12 });
  expect(localStore.getItem(KEY)).toBeNull();
});

test('a join that the server refuses for its rate is repeated after the time that the server named', async () => {
  stage = await RoomStage.start();
  const { list } = stage.signIn();
  list.subscribe(() => {});
  await soon(() => list.state.phase === 'live');
  localStore.setItem(KEY, JSON.stringify({ 2: 0, 3: 0 }));
  const asked: string[] = [];
  const requests: Requests = {
    ask: async (_method, path) => {
      asked.push(path);
      if (asked.length === 2) throw new ApiError(429, 'too many requests', { retryAfterMs: 1 });
      return roomInfo(2) as never;
    },
    tell: async () => {},
    send: async () => new Response(),
  };
  await adoptReadMarks({ rooms: list, markUnread: () => {}, api: { requests } }, KEY);
  expect(asked).toEqual(['/rooms/2/members/me', '/rooms/3/members/me', '/rooms/3/members/me']);
  expect(localStore.getItem(KEY)).toBeNull();
});
