import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AppendOutcome, NewMessage } from '../store.ts';
import { type ContractPart, NOW, newRoom, newUser, type StoreUnderTest, wholeRoom } from './subject.ts';

const ROOMS = 3;
const USERS = 2;

/** One step: append without waiting, wait for all that runs, or restart the store. */
type Step =
  | { kind: 'append'; room: number; user: number; cid: string | null; content: string; now: number }
  | { kind: 'wait' }
  | { kind: 'reopen' };

const append = fc.record({
  kind: fc.constant('append' as const),
  // One more than there are: nobody's room, nobody's user.
  room: fc.nat(ROOMS),
  user: fc.nat(USERS),
  cid: fc.constantFrom(null, 'a', 'b', 'c'),
  content: fc.constantFrom('x', 'y'),
  now: fc.integer({ min: NOW - 3, max: NOW + 3 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 60, arbitrary: append },
  { weight: 8, arbitrary: fc.constant({ kind: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'reopen' as const }) },
);

interface Line {
  seq: number;
  userId: number;
  cid: string | null;
  content: string;
  createdAt: number;
}

type Expected = { outcome: 'stored' | 'duplicate'; line: Line } | { outcome: string };

/** The rules of `append` as a model that is simple enough to be obviously right. */
class Model {
  readonly #rooms: Map<number, Line[]>;
  readonly #users: Set<number>;

  constructor(roomIds: number[], userIds: number[]) {
    this.#rooms = new Map(roomIds.map((id) => [id, []]));
    this.#users = new Set(userIds);
  }

  append({ roomId, userId, cid, content, now }: NewMessage): Expected {
    const lines = this.#rooms.get(roomId);
    if (!lines) return { outcome: 'room_not_found' };
    if (!this.#users.has(userId)) return { outcome: 'user_not_found' };
    const first = lines.find((line) => cid !== null && line.cid === cid && line.userId === userId);
    if (first && first.content !== content) return { outcome: 'cid_conflict' };
    if (first) return { outcome: 'duplicate', line: first };
    const createdAt = Math.max(now, lines.at(-1)?.createdAt ?? 0);
    const line = { seq: lines.length + 1, userId, cid, content, createdAt };
    lines.push(line);
    return { outcome: 'stored', line };
  }

  lines(roomId: number): Line[] {
    return this.#rooms.get(roomId) ?? [];
  }
}

/** Runs the steps on the store and on the model; what differs throws. */
async function play(subject: StoreUnderTest, steps: Step[]): Promise<void> {
  const owner = await newUser(subject.store);
  const users = [owner.id, (await newUser(subject.store)).id];
  const rooms: number[] = [];
  for (let i = 0; i < ROOMS; i++) rooms.push((await newRoom(subject.store, owner.id)).id);
  const model = new Model(rooms, users);
  const ids = new Map<Line, number>();
  let running: Promise<void>[] = [];
  const calls = rooms.map(() => 0);
  const resolved = rooms.map(() => 0);
  const lastIds = rooms.map(() => 0);

  const check = (room: number, call: number, expected: Expected, actual: AppendOutcome): void => {
    expect(resolved[room] ?? 0).toBe(call);
    resolved[room] = call + 1;
    if (!('line' in expected)) return expect(actual).toEqual(expected);
    const { seq, createdAt } = expected.line;
    expect(actual).toMatchObject({ outcome: expected.outcome, seq, createdAt });
    if (!('id' in actual)) throw new Error('an outcome without an id');
    if (expected.outcome === 'duplicate') return expect(actual.id).toBe(ids.get(expected.line));
    expect(actual.id).toBeGreaterThan(lastIds[room] ?? 0);
    lastIds[room] = actual.id;
    ids.set(expected.line, actual.id);
  };

  for (const next of steps) {
    if (next.kind === 'append') {
      const { room, user, cid, content, now } = next;
      const message = { roomId: rooms[room] ?? 0, userId: users[user] ?? 0, cid, content, now };
      const call = calls[room] ?? 0;
      calls[room] = call + 1;
      const expected = model.append(message);
      running.push(subject.store.append(message).then((actual) => check(room, call, expected, actual)));
      continue;
    }
    await Promise.all(running);
    running = [];
    if (next.kind === 'reopen') await subject.reopen();
  }
  await Promise.all(running);

  for (const roomId of rooms) {
    const expected = model
      .lines(roomId)
      .map((line) => ({ ...line, changedSeq: line.seq, notice: null, facts: null, id: ids.get(line) }));
    const actual = await wholeRoom(subject.store, roomId);
    expect(actual.map(({ username, roomId: _, ...line }) => line)).toEqual(expected);
    expect((await subject.store.findRoom(roomId))?.seq).toBe(expected.length);
  }
}

export const describeAppendModel: ContractPart = (subject) => {
  describe('append: any interleaving', () => {
    it('behaves as one list for each room would', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 120 }), (steps) => play(subject(), steps)),
        { numRuns: 30 },
      );
    });
  });
};
