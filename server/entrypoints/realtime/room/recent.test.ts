import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Recent, type RecentEvent } from './recent.ts';

function event(seq: number, size = 1): RecentEvent {
  return { seq, id: seq, json: JSON.stringify({ seq, content: 'x'.repeat(size) }) };
}

function seqsOf(events: RecentEvent[] | null): number[] | null {
  return events?.map(({ seq }) => seq) ?? null;
}

describe('Recent', () => {
  it('returns exactly the events after a seq, or null', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 1000 }),
        fc.array(fc.constantFrom(1, 4000), { maxLength: 600 }),
        fc.nat({ max: 1700 }),
        (start, sizes, after) => {
          const recent = new Recent();
          recent.startAt(start);
          for (const [index, size] of sizes.entries()) recent.push(event(start + index + 1, size));
          const last = start + sizes.length;
          const given = seqsOf(recent.after(after));
          if (given === null) expect(after).toBeLessThan(last);
          else {
            const length = Math.max(0, last - after);
            expect(given).toEqual(Array.from({ length }, (_, index) => after + index + 1));
          }
        },
      ),
    );
  });

  it('keeps many short events or a few long ones, never more than 256', () => {
    const short = new Recent();
    for (let seq = 1; seq <= 300; seq++) short.push(event(seq));
    expect(seqsOf(short.after(200))).toHaveLength(100);
    expect(short.after(43)).toBeNull();

    const long = new Recent();
    for (let seq = 1; seq <= 300; seq++) long.push(event(seq, 4000));
    expect(long.after(300 - 5)).toHaveLength(5);
    expect(long.after(300 - 10)).toBeNull();
  });

  it('keeps more while a socket resumes, and fewer again after that', () => {
    const recent = new Recent();
    for (let seq = 1; seq <= 200; seq++) recent.push(event(seq, 4000), { isResuming: true });
    expect(recent.after(0)).toHaveLength(200);
    for (let seq = 201; seq <= 500; seq++) recent.push(event(seq, 4000), { isResuming: true });
    expect(recent.after(0)).toBeNull();
    expect(recent.after(300)).toHaveLength(200);
    recent.push(event(501, 4000));
    expect(recent.after(300)).toBeNull();
  });

  it('of a message that has changed only the latest state is kept', () => {
    const recent = new Recent();
    recent.startAt(0);
    for (let seq = 1; seq <= 3; seq++) recent.push(event(seq));
    recent.push({ ...event(4), id: 2 }, { isChange: true });
    expect(seqsOf(recent.after(0))).toEqual([1, 3, 4]);
    expect(seqsOf(recent.after(2))).toEqual([3, 4]);
  });
});
