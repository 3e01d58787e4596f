import { expect, test } from 'vitest';
import { preparedRooms } from './room-index.ts';

test('rooms are indexed once for the same names in the same order, whatever else changes', () => {
  const rooms = [
    { id: 1, name: 'Design', online: 0 },
    { id: 2, name: 'General', online: 3 },
  ];
  const index = preparedRooms(rooms);
  expect(preparedRooms(rooms.map((room) => ({ ...room, online: 9 })))).toBe(index);
  const renamed = preparedRooms([{ id: 1, name: 'Designs' }, ...rooms.slice(1)]);
  expect(renamed).not.toBe(index);
  expect(preparedRooms(rooms.toReversed())).not.toBe(renamed);
});
