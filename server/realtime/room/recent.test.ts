import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Recent } from './recent.ts';

function message(seq: number, size = 1) {
  return {
    id: seq,
    roomId: 1,
    seq,
    userId: 1,
    username: 'ann',
    cid: null,
    content: 'x'.repeat(size),
    createdAt: 0,
  };
}

function seqsOf(jsons: string[] | null): number[] | null {
  return jsons?.map((json) => JSON.parse(json).seq) ?? null;
}

describe('Recent', () => {
  it('gives exactly the messages after a seq, or says that it cannot', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1000 }),
        fc.array(fc.constantFrom(1, 4000), { maxLength: 600 }),
        fc.nat({ max: 1700 }),
        (start, sizes, after) => {
          const recent = new Recent();
          for (const [index, size] of sizes.entries()) recent.push(message(start + index + 1, size));
          const last = start + sizes.length;
          const given = seqsOf(recent.after(after, last));
          if (given === null) expect(after).toBeLessThan(last);
          else {
            const length = Math.max(0, last - after);
            expect(given).toEqual(Array.from({ length }, (_, index) => after + index + 1));
          }
        },
      ),
    );
  });

  it('keeps many short messages or a few long ones, never more than 256', () => {
    const short = new Recent();
    for (let seq = 1; seq <= 300; seq++) short.push(message(seq));
    expect(seqsOf(short.after(200, 300))).toHaveLength(100);
    expect(short.after(43, 300)).toBeNull();

    const long = new Recent();
    for (let seq = 1; seq <= 300; seq++) long.push(message(seq, 4000));
    expect(long.after(300 - 5, 300)).toHaveLength(5);
    expect(long.after(300 - 10, 300)).toBeNull();
  });

  it('keeps more while somebody is behind, and forgets it again', () => {
    const recent = new Recent();
    for (let seq = 1; seq <= 200; seq++) recent.push(message(seq, 4000), true);
    expect(recent.after(0, 200)).toHaveLength(200);
    for (let seq = 201; seq <= 500; seq++) recent.push(message(seq, 4000), true);
    expect(recent.after(0, 500)).toBeNull();
    expect(recent.after(300, 500)).toHaveLength(200);
    recent.push(message(501, 4000));
    expect(recent.after(300, 501)).toBeNull();
  });
});
