import { describe, expect, test } from 'vitest';
import type { MembershipRow, ReadMarkChange } from '../../../data/storage/store.ts';
import { ReadMarks } from './read-marks.ts';

const HEAD = 20;

/** `refusals`: how often the store refuses to write. */
function furnished({ refusals = 0 } = {}) {
  const batches: (readonly ReadMarkChange[])[] = [];
  let left = refusals;
  const store = {
    markRead: async (marks: readonly ReadMarkChange[]): Promise<MembershipRow[]> => {
      batches.push(marks);
      if (left-- > 0) throw new Error('the disk is full');
      return [];
    },
  };
  const marks = new ReadMarks({ store, bus: { publish: () => {} } }, () => HEAD);
  const add = (seq: number, change: Partial<ReadMarkChange> = {}) =>
    marks.add({ userId: 1, roomId: 1, seq, known: 0, unread: false, ...change });
  const written = () => batches.at(-1)?.map(({ seq, unread }) => (unread ? `=${seq}` : `${seq}`));
  return { marks, add, batches, written };
}

describe('marks that wait for the same write', () => {
  test('rising ones are one mark, at the highest place; ones that are set are one mark, at the latest', async () => {
    const { marks, add, written } = furnished();
    for (const seq of [3, 7, 5]) add(seq);
    for (const seq of [6, 2, 4]) add(seq, { unread: true });
    add(9);
    await marks.flush();
    expect(written()).toEqual(['7', '=4', '9']);
  });

  test('a mark that the store may ignore takes no other with it: another `known`, or above the head', async () => {
    const { marks, add, written } = furnished();
    add(5, { unread: true, known: 8 });
    add(3, { unread: true, known: 2 });
    add(HEAD + 1, { unread: true, known: 2 });
    add(9, { known: 8 });
    add(12, { known: 2 });
    add(HEAD + 1, { known: 2 });
    await marks.flush();
    expect(written()).toEqual(['=5', '=3', `=${HEAD + 1}`, '9', '12', `${HEAD + 1}`]);
  });
});

describe('marks that could not be written', () => {
  test('are written again before the marks that came meanwhile', async () => {
    const { marks, add, batches, written } = furnished({ refusals: 1 });
    add(5, { unread: true });
    const failing = marks.flush();
    await Promise.resolve();
    expect(batches).toHaveLength(1);
    add(9);
    await failing;
    await marks.flush();
    expect(written()).toEqual(['=5', '9']);
  });

  test('are not overtaken by a write that was already asked for', async () => {
    const { marks, add, batches, written } = furnished({ refusals: 1 });
    add(5, { unread: true });
    const failing = marks.flush();
    await Promise.resolve();
    add(9);
    await Promise.all([failing, marks.flush()]);
    expect(batches).toHaveLength(2);
    expect(written()).toEqual(['=5', '9']);
  });

  test('of 201, those after the first write that fails wait, too', async () => {
    const { marks, add, batches } = furnished({ refusals: 1 });
    for (let roomId = 1; roomId <= 201; roomId++) add(5, { roomId });
    await marks.flush();
    expect(batches.map((batch) => batch.length)).toEqual([200]);
    await marks.flush();
    expect(batches.map((batch) => batch.length)).toEqual([200, 200, 1]);
  });
});
