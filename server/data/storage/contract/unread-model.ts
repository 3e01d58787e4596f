import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContractPart, NOW, newRoom, newUser, type StoreUnderTest } from './subject.ts';

const PEOPLE = 3;
const DEVICES = 3;

type Step =
  /** A text, or a change of the room, by one of the people. */
  | { kind: 'post' | 'notice'; person: number }
  /** A device of the reader sets the mark so far before the head that it knows of. */
  | { kind: 'read' | 'unread'; device: number; back: number }
  /** A device hears of the latest mark. */
  | { kind: 'hear'; device: number }
  | { kind: 'block' | 'unblock'; person: number }
  /** The reader leaves and comes back. */
  | { kind: 'rejoin' };

const person = fc.nat(PEOPLE - 1);
const device = fc.nat(DEVICES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('post' as const), person }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('notice' as const), person: fc.constant(1) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('read' as const, 'unread' as const),
      device,
      back: fc.nat(6),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('hear' as const), device }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('block' as const, 'unblock' as const),
      person: fc.constantFrom(1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'rejoin' as const }) },
);

/** The room as a list of its events, and the rules of the mark, simple enough to be obviously right. */
class Model {
  /** Null: a notice. */
  readonly events: (number | null)[] = [];
  readonly blocked = new Set<number>();
  /** The latest `read_set` that each device knows. */
  readonly known = Array.from({ length: DEVICES }, () => 0);
  mark = 0;
  set = 0;

  unread(): number {
    return this.events
      .slice(this.mark)
      .filter((author) => author !== null && author !== 0 && !this.blocked.has(author)).length;
  }

  /** Whether the store should change the mark. */
  read(seq: number, isUnread: boolean, known: number): boolean {
    const isTaken = known >= this.set && (isUnread || seq > this.mark);
    if (isTaken) this.mark = seq;
    return isTaken;
  }
}

/** Plays the steps on the store and on the model; person 0 is the reader, and person 1 owns the room. */
async function play({ store }: StoreUnderTest, steps: Step[]): Promise<void> {
  const ids = [(await newUser(store)).id, (await newUser(store)).id, (await newUser(store)).id];
  const idOf = (index: number) => ids[index] ?? 0;
  const userId = idOf(0);
  const { id: roomId } = await newRoom(store, idOf(1));
  await store.joinRoom({ roomId, userId, now: NOW });
  const model = new Model();
  let topics = 0;

  for (const next of steps) {
    if (next.kind === 'post') {
      await store.append({ roomId, userId: idOf(next.person), cid: null, content: 'x', now: NOW });
      model.events.push(next.person);
    } else if (next.kind === 'notice') {
      await store.changeRoom({ roomId, actorId: idOf(1), patch: { topic: `${++topics}` }, now: NOW });
      model.events.push(null);
    } else if (next.kind === 'read' || next.kind === 'unread') {
      const seq = Math.max(0, model.events.length - next.back);
      const known = model.known[next.device] ?? 0;
      const isUnread = next.kind === 'unread';
      const [member] = await store.markRead([{ userId, roomId, seq, known, unread: isUnread }]);
      expect(member !== undefined).toBe(model.read(seq, isUnread, known));
      if (isUnread && member) model.set = member.userSeq;
      if (member) expect(member).toMatchObject({ readSeq: model.mark, readSet: model.set });
    } else if (next.kind === 'hear') {
      model.known[next.device] = model.set;
    } else if (next.kind === 'rejoin') {
      await store.leaveRoom({ roomId, userId, now: NOW });
      await store.joinRoom({ roomId, userId, now: NOW });
      model.mark = model.events.length;
      model.set = (await store.userLog({ userId, after: 0, limit: 1 })).seq;
    } else if (next.kind === 'block' || next.kind === 'unblock') {
      const isBlocked = next.kind === 'block';
      await store.setBlock({ userId, blockedId: idOf(next.person), isBlocked });
      if (isBlocked) model.blocked.add(next.person);
      else model.blocked.delete(next.person);
    }
    const unread = model.unread();
    expect(await store.unread({ userId, roomIds: [roomId] })).toEqual([
      { roomId, unread, mentions: 0, threadMentions: [], isInexact: false },
    ]);
  }
}

export const describeUnreadModel: ContractPart = (subject) => {
  describe('unread: any posts, notices, blocks and marks of three devices', () => {
    it('is what counting one by one gives', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 40 }), (steps) => play(subject(), steps)),
        { numRuns: 30 },
      );
    });
  });
};
