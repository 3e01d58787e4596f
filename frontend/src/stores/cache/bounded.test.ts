import { expect, test } from 'vitest';
import type { Message, RoomState } from '../../../../client/index.ts';
import { boundedSnapshot } from './bounded.ts';

function room(contents: readonly string[], change: Partial<RoomState> = {}): RoomState {
  const messages = contents.map(
    (content, index): Message => ({
      type: 'message',
      id: index + 1,
      room_id: 1,
      user_id: 1,
      username: 'ann',
      content,
      created_at: new Date(index).toISOString(),
      seq: index + 1,
    }),
  );
  return { epoch: 'e', head: messages.length, messages, hasOlder: false, ...change } as RoomState;
}

const seqs = (state: RoomState) => boundedSnapshot(state)?.messages.map(({ seq }) => seq);

test('the newest 200 messages of a room are kept, and the fact that there are older ones', () => {
  const state = room(Array.from({ length: 250 }, (_, index) => `m${index}`));
  const kept = boundedSnapshot(state);
  expect(kept?.messages).toEqual(state.messages.slice(50));
  expect(kept).toMatchObject({ epoch: 'e', head: 250, hasOlder: true });
});

test('of long messages fewer are kept: 200 000 characters in all, but at least one message', () => {
  expect(seqs(room(Array.from({ length: 100 }, () => 'x'.repeat(4000))))).toHaveLength(50);
  expect(seqs(room(['x'.repeat(300_000)]))).toEqual([1]);
});

test('a small room is kept whole, an empty one too', () => {
  expect(boundedSnapshot(room(['a', 'b']))).toMatchObject({
    hasOlder: false,
    messages: room(['a', 'b']).messages,
  });
  expect(boundedSnapshot(room([]))).toMatchObject({ head: 0, messages: [], hasOlder: false });
});

test('messages of an unknown epoch are not kept', () => {
  expect(boundedSnapshot(room(['a'], { epoch: null }))).toBeNull();
  expect(boundedSnapshot(room(['a'], { head: null }))).toBeNull();
});
