import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { ME, message, ROOM, range } from '../testing/messages.ts';
import {
  batch,
  frame,
  hello,
  inRoom,
  latest,
  live,
  older,
  opened,
  run,
  sync,
} from '../testing/room-actions.ts';
import { withDeltas } from './deltas.ts';
import type { Reaction } from './reactions.ts';
import { withPerson } from './reactions.ts';
import { type RoomAction, reduceRoom } from './room-reducer.ts';
import { isLive, missing, type RoomState } from './room-state.ts';

const THUMB = '👍';

function reaction(seq: number, changed_seq: number, change: Partial<Reaction> = {}): Reaction {
  const who = { user_id: 8, emoji: THUMB, on: true, count: 1 };
  return { type: 'reaction', room_id: ROOM, id: 10 * seq, changed_seq, ...who, ...change };
}

const thumbs = (count: number, ...user_ids: number[]) => [{ emoji: THUMB, count, user_ids }];
const at = (state: RoomState, seq: number) => state.messages.find((one) => one.seq === seq);

describe('a reaction is a state of its message', () => {
  test('it takes the next number of the log, and the room stays live', () => {
    const state = inRoom(3, frame(reaction(2, 4)), live(5));
    expect(at(state, 2)).toMatchObject({ changed_seq: 4, reactions: thumbs(1, 8) });
    expect(state).toMatchObject({ head: 5, deltas: [] });
    expect(isLive(state)).toBe(true);
  });

  test('a repeat, and one of a lower number than the message has, change nothing', () => {
    const state = inRoom(3, frame(reaction(2, 4)));
    expect(reduceRoom(state, frame(reaction(2, 4)))).toBe(state);
    const edited = message(2, { changed_seq: 9, content: 'edited' });
    expect(withDeltas([edited], [reaction(2, 4)])).toEqual([edited]);
  });

  test('a gap before it is closed by a new connection', () => {
    expect(missing(inRoom(3, frame(reaction(2, 5))))).toBe('resume');
  });

  test('the last one that is taken back leaves none; the others keep their order', () => {
    const back = frame(reaction(2, 6, { on: false, count: 0 }));
    const state = inRoom(3, frame(reaction(2, 4)), frame(reaction(2, 5, { emoji: '🎉' })), back);
    expect(at(state, 2)?.reactions).toEqual([{ emoji: '🎉', count: 1, user_ids: [8] }]);
    const none = reduceRoom(state, frame(reaction(2, 7, { emoji: '🎉', on: false, count: 0 })));
    expect(at(none, 2)).not.toHaveProperty('reactions');
  });

  test('of many people the first twenty are named, and the count has all', () => {
    const all = range(1, 25).map(({ seq }) => reaction(1, 1 + seq, { user_id: 100 + seq, count: seq }));
    const [held] = withDeltas([message(1)], all);
    expect(held?.reactions?.[0]?.count).toBe(25);
    expect(held?.reactions?.[0]?.user_ids).toHaveLength(20);
  });

  test('what one person does changes the count by one, and nothing the second time', () => {
    const own = withPerson([], THUMB, ME.id, true);
    expect(own).toEqual(thumbs(1, ME.id));
    expect(withPerson(own, THUMB, ME.id, true)).toEqual(own);
    expect(withPerson(own, THUMB, ME.id, false)).toEqual([]);
    expect(withPerson([], THUMB, ME.id, false)).toEqual([]);
  });

  test('of somebody who is not listed, as more have reacted than are, taking back counts', () => {
    const listed = range(101, 120).map(({ seq }) => seq);
    const many = thumbs(25, ...listed);
    expect(withPerson(many, THUMB, ME.id, false)).toEqual(thumbs(24, ...listed));
    expect(withPerson(thumbs(20, ...listed), THUMB, ME.id, false)).toEqual(thumbs(20, ...listed));
  });
});

describe('a reaction that comes while a page is on its way', () => {
  test('is applied to the latest page, unless that has it', () => {
    const start = run([opened, frame(hello(3)), frame(reaction(2, 4))]);
    expect(at(reduceRoom(start, latest(range(1, 3))), 2)?.reactions).toEqual(thumbs(1, 8));
    const page = [message(1), message(2, { changed_seq: 4, reactions: thumbs(1, 8) }), message(3)];
    expect(at(reduceRoom(start, latest(page, false, 4)), 2)?.reactions).toEqual(thumbs(1, 8));
  });

  test('is applied to a page of older messages', () => {
    const start = run([opened, frame(hello(6)), latest(range(5, 6), true), { type: 'asked' }]);
    const state = run([frame(reaction(3, 7)), sync(7), older(range(3, 4), 50)], start);
    expect(at(state, 3)?.reactions).toEqual(thumbs(1, 8));
    expect(isLive(state)).toBe(true);
  });
});

test('any mix of posts, edits, reactions and pages ends in the state of the server', () => {
  const step = fc.oneof(
    fc.constant({ kind: 'post' as const }),
    fc.record({ kind: fc.constant('edit' as const), of: fc.nat(9) }),
    fc.record({
      kind: fc.constant('react' as const),
      of: fc.nat(9),
      user: fc.integer({ min: 7, max: 9 }),
      on: fc.boolean(),
    }),
    fc.constant({ kind: 'page' as const }),
    fc.constant({ kind: 'arrive' as const }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let messages: Message[] = [message(1)];
      let seq = 1;
      let page: RoomAction | null = null;
      let state = run([opened, frame(hello(1))]);
      for (const one of steps) {
        if (one.kind === 'page') page ??= latest([...messages], false, seq);
        if (one.kind === 'arrive' && page !== null) {
          state = reduceRoom(state, page);
          page = null;
        }
        if (one.kind === 'post') {
          messages = [...messages, message(++seq)];
          state = reduceRoom(state, live(seq));
        }
        const held = 'of' in one ? messages[one.of % messages.length] : undefined;
        if (held === undefined) continue;
        if (one.kind === 'edit') {
          const edited = { ...held, content: `edited ${++seq}`, changed_seq: seq };
          messages = messages.map((other) => (other === held ? edited : other));
          state = reduceRoom(state, frame(edited));
        } else if (one.kind === 'react') {
          const before = held.reactions ?? [];
          const reactions = withPerson(before, THUMB, one.user, one.on);
          if (JSON.stringify(reactions) === JSON.stringify(before)) continue;
          const { reactions: _, ...rest } = { ...held, changed_seq: ++seq };
          const next = reactions.length > 0 ? { ...rest, reactions } : rest;
          messages = messages.map((other) => (other === held ? next : other));
          const count = reactions[0]?.count ?? 0;
          state = reduceRoom(state, frame(reaction(held.seq, seq, { user_id: one.user, on: one.on, count })));
        }
      }
      const end = run([...(page === null ? [] : [page]), latest([...messages], false, seq)], state);
      expect(end.messages).toEqual(messages);
      expect(reduceRoom(end, batch([])).messages).toEqual(messages);
    }),
    { numRuns: 500 },
  );
});
