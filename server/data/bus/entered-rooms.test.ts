import { expect, it } from 'vitest';
import { EnteredRooms } from './entered-rooms.ts';

function stage() {
  const calls: string[] = [];
  let now = 0;
  const parts = {
    subscribe: async (roomId: number) => void calls.push(`+${roomId}`),
    unsubscribe: (roomId: number) => void calls.push(`-${roomId}`),
  };
  const rooms = new EnteredRooms(parts, () => now);
  rooms.close();
  const pass = (ms: number) => {
    now += ms;
    rooms.sweep();
  };
  return { rooms, calls, pass };
}

it('a room is unsubscribed from 30 seconds after the last one has left it', async () => {
  const { rooms, calls, pass } = stage();
  await Promise.all([rooms.enter(1), rooms.enter(1), rooms.enter(2)]);
  rooms.leave(1);
  pass(40_000);
  rooms.leave(1);
  pass(29_000);
  expect(calls).toEqual(['+1', '+2']);
  pass(2000);
  expect(calls).toEqual(['+1', '+2', '-1']);
});

it('a room that is entered again within 30 seconds stays subscribed', async () => {
  const { rooms, calls, pass } = stage();
  await rooms.enter(1);
  rooms.leave(1);
  pass(20_000);
  await rooms.enter(1);
  pass(40_000);
  expect(calls).toEqual(['+1']);
  rooms.leave(1);
  pass(31_000);
  await rooms.enter(1);
  expect(calls).toEqual(['+1', '-1', '+1']);
});
