import { expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { message, ROOM } from '../testing/messages.ts';
import type { RoomFrame } from './room-frame.ts';
import { hear, type Stream, streamAt } from './stream.ts';

const batch = (...events: Message[]): RoomFrame => ({ type: 'batch', room_id: ROOM, events });
const sync = (seq: number): RoomFrame => ({ type: 'sync', room_id: ROOM, seq });

/** Hears the frames; returns the seqs of the new messages, and the position at the end. */
function hearAll(stream: Stream, frames: readonly RoomFrame[]) {
  const seqs: number[] = [];
  let at: Stream | null = stream;
  for (const frame of frames) {
    const heard = hear(at, frame);
    at = heard.stream;
    seqs.push(...heard.messages.map(({ seq }) => seq));
  }
  return { seqs, phase: at?.phase, seq: at?.seq };
}

test('a live message that skips a number breaks the stream; in a batch it does not', () => {
  const live = streamAt('e1', 4, 'live');
  expect(hearAll(live, [message(6)])).toEqual({ seqs: [], phase: 'broken', seq: 4 });
  expect(hearAll(live, [batch(message(6)), message(7)])).toEqual({ seqs: [6, 7], phase: 'live', seq: 7 });
});

test('a broken stream hears nothing until it is opened again: no batch, and no sync that ends a resume', () => {
  const live = streamAt('e1', 4, 'live');
  const after = [message(6), message(5), batch(message(7))];
  expect(hearAll(live, after)).toEqual({ seqs: [], phase: 'broken', seq: 4 });
  expect(hearAll(live, [...after, sync(7)])).toEqual({ seqs: [], phase: 'broken', seq: 4 });
});

test('a message whose number was left out is new when it comes, and once', () => {
  const live = streamAt('e1', 4, 'live');
  const late = [batch(message(6)), message(5, { changed_seq: 7 }), message(5, { changed_seq: 8 })];
  expect(hearAll(live, late)).toEqual({ seqs: [6, 5], phase: 'live', seq: 8 });
});

test('the same after a resume: its last batch came before the message was changed', () => {
  const behind = streamAt('e1', 4, 'behind');
  const resumed = [batch(message(6)), sync(7), message(5, { changed_seq: 8 })];
  expect(hearAll(behind, resumed)).toEqual({ seqs: [6, 5], phase: 'live', seq: 8 });
  const changes = [batch(message(2, { changed_seq: 6 })), sync(6), message(2, { changed_seq: 7 })];
  expect(hearAll(behind, changes)).toEqual({ seqs: [], phase: 'live', seq: 7 });
});
