/** A change over the line, in any order of its answer, its event, and what others do to the message. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { withPerson } from '../room/reactions.ts';
import { ME, message, ROOM, range } from '../testing/messages.ts';
import { type Change, changeKey, type Wanted, withChanges } from './change.ts';

const CROWD = range(101, 125).map(({ seq }) => seq);
const wanted = fc.oneof(
  fc.record({ kind: fc.constant('edit' as const), content: fc.constant('mine'), base: fc.constant(0) }),
  fc.record({ kind: fc.constant('reaction' as const), emoji: fc.constant('👍'), on: fc.boolean() }),
  fc.record({ kind: fc.constant('pin' as const), on: fc.boolean() }),
);
/** What happens to a message on the server, by this user on any device, or by others. */
const act = fc.oneof(
  wanted,
  fc.constant({ kind: 'delete' as const }),
  fc.record({
    kind: fc.constant('reaction by' as const),
    user: fc.integer({ min: 8, max: 9 }),
    on: fc.boolean(),
  }),
);
type Act = Wanted | { kind: 'reaction by'; user: number; on: boolean };

function after(before: Message, did: Act, changed_seq: number): Message {
  if (before.deleted_at !== undefined) return before;
  const { pinned_at: _, ...rest } = { ...before, changed_seq };
  switch (did.kind) {
    case 'edit':
      return { ...before, changed_seq, content: `${did.content} ${changed_seq}`, revision: changed_seq };
    case 'delete':
      return message(1, { changed_seq, content: '', deleted_at: '2026-01-01T00:00:00Z' });
    case 'reaction':
      return { ...before, changed_seq, reactions: withPerson(before.reactions ?? [], '👍', ME.id, did.on) };
    case 'reaction by':
      return {
        ...before,
        changed_seq,
        reactions: withPerson(before.reactions ?? [], '👍', did.user, did.on),
      };
    case 'pin':
      return did.on ? { ...rest, pinned_at: before.created_at } : rest;
    case 'saved':
      return before;
  }
}

test('once the answer is there, the message is shown with the change, and without it as soon as it is held', () => {
  fc.assert(
    fc.property(
      wanted,
      fc.constantFrom(0, 1, 25),
      fc.array(act, { maxLength: 5 }),
      fc.array(act, { maxLength: 5 }),
      fc.nat(12),
      (mine, crowd, before, later, answerAt) => {
        let state = message(1, {
          reactions:
            crowd === 0 ? [] : [{ emoji: '👍', count: crowd, user_ids: CROWD.slice(0, Math.min(crowd, 20)) }],
        });
        const events = [...before, mine, ...later].map((did, at) => {
          state = after(state, did, 2 + at);
          return state;
        });
        // The number of an unchanged message is that of an earlier change.
        const seq = events[before.length]?.changed_seq ?? 1;
        const place = { key: changeKey(ROOM, 10, mine), roomId: ROOM, messageId: 10 };
        const made: Change = { ...place, wanted: mine, createdAt: 1, dueAt: 1, epoch: 'e1', conflict: null };
        const confirmed: Change = { ...made, confirmed: true, seq };
        for (const [at, held] of events.entries()) {
          if (at < answerAt) continue;
          const shown = withChanges(held, [confirmed], ME.id);
          const hasIt = (held.changed_seq ?? held.seq) >= seq;
          if (hasIt) expect(shown).toBe(held);
          else if (mine.kind === 'edit') expect(shown.content).toBe(mine.content);
          else if (mine.kind === 'pin') expect(shown.pinned_at !== undefined).toBe(mine.on);
          else expect(shown.reactions).toEqual(withPerson(held.reactions ?? [], '👍', ME.id, mine.on));
        }
        // Nothing that is deleted is shown otherwise, whether the answer is there or not.
        for (const held of events.filter(({ deleted_at }) => deleted_at !== undefined))
          for (const change of [made, confirmed]) expect(withChanges(held, [change], ME.id)).toBe(held);
      },
    ),
    { numRuns: 1000 },
  );
});
