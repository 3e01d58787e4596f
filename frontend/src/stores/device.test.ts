import { beforeEach, expect, test } from 'vitest';
import { adoptLastRoom, forgetForeignLastRoom, lastRoomOf, localStore, rememberLastRoom } from './device.ts';

const [ANN, BO] = [1, 2];

beforeEach(() => {
  for (const key of ['chat_last_room', 'chat_last_room_of']) localStore.removeItem(key);
});

test('the last room is that of the user who was in it', () => {
  rememberLastRoom(ANN, 7);
  expect(lastRoomOf(ANN)).toBe(7);
  expect(lastRoomOf(BO)).toBeNull();
});

test('a last room that another client wrote is taken for that of the session the page has found', () => {
  localStore.setItem('chat_last_room', '7');
  expect(lastRoomOf(ANN)).toBeNull();
  adoptLastRoom(ANN);
  expect(lastRoomOf(ANN)).toBe(7);
  // The other client goes on writing.
  localStore.setItem('chat_last_room', '8');
  expect(lastRoomOf(ANN)).toBeNull();
  adoptLastRoom(ANN);
  expect(lastRoomOf(ANN)).toBe(8);
});

test('a last room that is known to be another user’s is not', () => {
  rememberLastRoom(BO, 7);
  adoptLastRoom(ANN);
  expect(lastRoomOf(ANN)).toBeNull();
  expect(lastRoomOf(BO)).toBe(7);
});

test('signing in does not lead to a room without a known owner', () => {
  localStore.setItem('chat_last_room', '7');
  expect(forgetForeignLastRoom(ANN)).toBe(7);
  expect(lastRoomOf(ANN)).toBeNull();
  rememberLastRoom(ANN, 9);
  expect(forgetForeignLastRoom(ANN)).toBeNull();
  expect(lastRoomOf(ANN)).toBe(9);
});

test('what is no room id is none', () => {
  localStore.setItem('chat_last_room', 'seven');
  adoptLastRoom(ANN);
  expect(lastRoomOf(ANN)).toBeNull();
});
