import { beforeEach, expect, test } from 'vitest';
import { ApiError, type ChatClient, type RoomInfo } from '../../../client/index.ts';
import { provideChat } from './chat.ts';
import { useRooms } from './rooms.ts';

beforeEach(() => useRooms.getState().clear());

test('a 429 with Retry-After: the next fetch is due between one and two times that later', async () => {
  provideChat(failingWith(new ApiError(429, 'too many requests', { retryAfterMs: 30_000 })));
  const before = performance.now();
  await useRooms.getState().refresh();
  const { retryAt, stale } = useRooms.getState();
  expect(stale).toBe(true);
  expect(retryAt).toBeGreaterThanOrEqual(before + 30_000);
  expect(retryAt).toBeLessThanOrEqual(performance.now() + 60_000);
});

test('a failure without Retry-After: the next fetch is due at once', async () => {
  provideChat(failingWith(new ApiError(0, 'no response')));
  await useRooms.getState().refresh();
  expect(useRooms.getState().retryAt).toBeLessThanOrEqual(performance.now());
});

test('a room that is painted, and changes in nothing else, has its new hue', () => {
  const facts = { kind: 'public', name: 'ops', topic: '', description: '', archived: false } as const;
  const room = { ...facts, id: 7, emoji: null, settings: {}, online: 0, seq: 1, number: 0, members: 1 };
  useRooms.getState().add({ ...room, hue: null });
  const before = useRooms.getState().rooms;
  useRooms.getState().learn(7, { ...room, hue: null });
  expect(useRooms.getState().rooms).toBe(before);
  useRooms.getState().learn(7, { ...room, hue: 'teal' });
  expect(useRooms.getState().rooms[0]?.hue).toBe('teal');
});

test('a room that somebody has joined, and that changes in nothing else, has its new number of members', async () => {
  const facts = { kind: 'public', name: 'ops', topic: '', description: '', archived: false } as const;
  const room = { ...facts, id: 7, emoji: null, hue: null, settings: {}, online: 0, seq: 1, number: 0 };
  useRooms.getState().add({ ...room, members: 1 });
  provideChat(listing({ ...room, members: 2 }));
  await useRooms.getState().refresh();
  expect(useRooms.getState().rooms[0]?.members).toBe(2);
});

function listing(...rooms: RoomInfo[]): ChatClient {
  const state = { rooms: new Map(), blocked: new Set(), phase: 'behind', userSeq: null, helloSeq: 0 };
  return { browseRooms: async () => rooms, rooms: { ready: async () => {}, state } } as unknown as ChatClient;
}

function failingWith(error: ApiError): ChatClient {
  return { browseRooms: () => Promise.reject(error) } as unknown as ChatClient;
}
