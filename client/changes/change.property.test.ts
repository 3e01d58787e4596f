/** A change over the line, whatever it and others have done to the message before and after it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../../protocol/events.ts';
import { REACTION_PEOPLE } from '../../protocol/limits.ts';
import { hasMore, withPerson } from '../room/reactions.ts';
import { ME, message, ROOM } from '../testing/messages.ts';
import { type Change, changeKey, type Wanted, withChanges } from './change.ts';

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

/** The message as the server has it: it knows everybody who has reacted, and lists the first of them. */
class ServerMessage {
  #now = message(1);
  readonly #people: Set<number>;
  /** Each state with those who had reacted then. */
  readonly states: { held: Message; people: ReadonlySet<number> }[] = [];

  constructor(crowd: number, isMineFirst: boolean) {
    const others = Array.from({ length: crowd }, (_, at) => 101 + at);
    this.#people = new Set(isMineFirst ? [...others, ME.id] : others);
    this.#put({});
  }

  get number(): number {
    return this.#now.changed_seq ?? this.#now.seq;
  }

  /** What changes nothing takes no number. */
  do(did: Act): void {
    if (this.#now.deleted_at !== undefined) return;
    const next = this.number + 1;
    switch (did.kind) {
      case 'edit':
        return this.#put({ content: `${did.content} ${next}`, revision: next, changed_seq: next });
      case 'delete':
        this.#now = message(1, { changed_seq: next, content: '', deleted_at: '2026-01-01T00:00:00Z' });
        return void this.states.push({ held: this.#now, people: new Set() });
      case 'pin': {
        if (did.on === (this.#now.pinned_at !== undefined)) return;
        const { pinned_at: _, ...rest } = this.#now;
        this.#now = did.on ? { ...rest, pinned_at: rest.created_at } : rest;
        return this.#put({ changed_seq: next });
      }
      case 'reaction':
      case 'reaction by': {
        const user = did.kind === 'reaction' ? ME.id : did.user;
        if (did.on === this.#people.has(user)) return;
        if (did.on) this.#people.add(user);
        else this.#people.delete(user);
        return this.#put({ changed_seq: next });
      }
      case 'saved':
        return;
    }
  }

  #put(change: Partial<Message>): void {
    const { reactions: _, ...rest } = { ...this.#now, ...change };
    const people = new Set(this.#people);
    const user_ids = [...people].slice(0, REACTION_PEOPLE);
    this.#now = {
      ...rest,
      ...(people.size > 0 && { reactions: [{ emoji: '👍', count: people.size, user_ids }] }),
    };
    this.states.push({ held: this.#now, people });
  }
}

test('once the answer is there, the message is shown with the change, and without it as soon as it is held', () => {
  fc.assert(
    fc.property(
      wanted,
      fc.constantFrom(0, 1, REACTION_PEOPLE - 1, REACTION_PEOPLE, REACTION_PEOPLE + 5),
      fc.boolean(),
      fc.array(act, { maxLength: 5 }),
      fc.array(act, { maxLength: 5 }),
      fc.nat(9),
      (mine, crowd, isMineFirst, before, later, lateBy) => {
        const server = new ServerMessage(crowd, isMineFirst);
        for (const did of before) server.do(did);
        server.do(mine);
        const own = server.number;
        for (const did of later) server.do(did);
        // A repeat that changes nothing is answered with the number of the latest change.
        const seq = Math.min(own + lateBy, server.number);
        const place = { key: changeKey(ROOM, 10, mine), roomId: ROOM, messageId: 10 };
        const made: Change = { ...place, wanted: mine, createdAt: 1, dueAt: 1, epoch: 'e1', conflict: null };
        const confirmed: Change = { ...made, confirmed: true, seq };
        for (const { held, people } of server.states) {
          const shown = withChanges(held, [confirmed], ME.id);
          if ((held.changed_seq ?? held.seq) >= seq || held.deleted_at !== undefined)
            expect(shown).toBe(held);
          else if (mine.kind === 'edit') expect(shown.content).toBe(mine.content);
          else if (mine.kind === 'pin') expect(shown.pinned_at !== undefined).toBe(mine.on);
          else expectOnce(held, shown, mine, people);
        }
        // Nothing that is deleted is shown otherwise, whether the answer is there or not.
        for (const { held } of server.states.filter(({ held }) => held.deleted_at !== undefined))
          for (const change of [made, confirmed]) expect(withChanges(held, [change], ME.id)).toBe(held);
      },
    ),
    { numRuns: 2000 },
  );
});

/** Nobody is counted twice. Where more have reacted than are listed, the state is shown as it is. */
function expectOnce(
  held: Message,
  shown: Message,
  { emoji, on }: { emoji: string; on: boolean },
  people: ReadonlySet<number>,
): void {
  const { reactions = [] } = held;
  const [there] = reactions;
  if (there !== undefined && hasMore(there)) return expect(shown).toBe(held);
  expect(shown.reactions).toEqual(withPerson(reactions, emoji, ME.id, on));
  const truth = new Set(people);
  if (on) truth.add(ME.id);
  else truth.delete(ME.id);
  expect(shown.reactions?.[0]?.count ?? 0).toBe(truth.size);
}
