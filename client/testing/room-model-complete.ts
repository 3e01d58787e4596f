import { expect } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import type { RoomState } from '../room/room-state.ts';
import { placeOf } from '../room/stream.ts';
import type { ModelServer } from './room-model-server.ts';

/**
 * None is missing after the oldest, but one that has changed since `head`: it may still be on its way in its new state.
 */
export function checkComplete({ messages, head, epoch }: RoomState, server: ModelServer): void {
  const seqs = messages.map(({ seq }) => seq);
  const [first] = seqs;
  if (first === undefined || head === null || epoch !== server.epoch) return;
  const held = new Set(seqs);
  const mayBeMissing = (message: Message) => placeOf(message) > head;
  const due = server.log.filter(
    (message) =>
      message.seq >= first && message.seq <= head && (held.has(message.seq) || !mayBeMissing(message)),
  );
  expect(
    seqs.filter((seq) => seq <= head),
    'none is missing',
  ).toEqual(due.map(({ seq }) => seq));
}
