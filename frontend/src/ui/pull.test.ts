import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cancel, type Finger, lift, moveTo, type Pull, type PullRules, putDown, STILL_PX } from './pull.ts';

const SHEET: PullRules = { axis: 'y', sign: 1, farPx: 120, mostPx: 800, fling: 0.5 };
const ROW: PullRules = { axis: 'x', sign: -1, farPx: 72, mostPx: 96, fling: null };

const rules = fc.record({
  axis: fc.constantFrom('x' as const, 'y' as const),
  sign: fc.constantFrom(1 as const, -1 as const),
  farPx: fc.integer({ min: 30, max: 200 }),
  mostPx: fc.integer({ min: 200, max: 800 }),
  fling: fc.option(fc.constantFrom(0.3, 0.5, 1)),
});
const coordinate = fc.integer({ min: -400, max: 400 });
const path = fc.array(fc.record({ x: coordinate, y: coordinate, after: fc.integer({ min: 1, max: 150 }) }), {
  maxLength: 30,
});

/** The states from the moment that the finger is put down at the origin. */
function states(steps: typeof path extends fc.Arbitrary<infer T> ? T : never, by: PullRules): Pull[] {
  const all: Pull[] = [putDown({ x: 0, y: 0, at: 0 })];
  let at = 0;
  for (const { x, y, after } of steps) {
    at += after;
    all.push(moveTo(all.at(-1) as Pull, { x, y, at }, by));
  }
  return all;
}

/** The same from here on: a step along the way of the rules, 16 ms each. */
function pulled(by: PullRules, ...to: readonly number[]): { pull: Pull; at: number } {
  let pull = putDown({ x: 0, y: 0, at: 0 });
  let at = 0;
  for (const along of to) {
    at += 16;
    pull = moveTo(pull, place(by, along, at), by);
  }
  return { pull, at };
}

function place({ axis, sign }: PullRules, along: number, at: number): Finger {
  return axis === 'x' ? { x: along * sign, y: 0, at } : { x: 0, y: along * sign, at };
}

describe('what a finger pulls', () => {
  test('follows it from 0 to the most, and is far exactly from the threshold on', () => {
    fc.assert(
      fc.property(path, rules, (steps, by) => {
        for (const state of states(steps, by)) {
          if (state.phase !== 'pulling') continue;
          expect(state.by).toBeGreaterThanOrEqual(0);
          expect(state.by).toBeLessThanOrEqual(by.mostPx);
          expect(state.isFar).toBe(state.by >= by.farPx);
        }
      }),
    );
  });

  test('stays where it is while the finger moves no more than 10 px', () => {
    fc.assert(
      fc.property(path, rules, (steps, by) => {
        for (const [index, state] of states(steps, by).entries()) {
          const far = steps.slice(0, index).filter(({ x, y }) => Math.hypot(x, y) > STILL_PX);
          if (far.length === 0) expect(state.phase).toBe('down');
        }
      }),
    );
  });

  test('never moves for a finger that first goes across, as one that scrolls', () => {
    fc.assert(
      fc.property(path, rules, fc.integer({ min: 11, max: 99 }), (steps, by, start) => {
        const along = Math.trunc(start / 2);
        const first = by.axis === 'x' ? { x: along * by.sign, y: start } : { x: start, y: along * by.sign };
        const [, ...after] = states([{ ...first, after: 16 }, ...steps], by);
        for (const state of after) expect(state).toEqual({ phase: 'over', isDone: false });
      }),
    );
  });

  test('is over for good once it is over', () => {
    fc.assert(
      fc.property(path, rules, fc.boolean(), (steps, by, isDone) => {
        const over: Pull = { phase: 'over', isDone };
        for (const { x, y, after } of steps) expect(moveTo(over, { x, y, at: after }, by)).toBe(over);
        expect(lift(over, 0, by)).toBe(over);
      }),
    );
  });

  test('is done by the distance alone where no fling counts', () => {
    fc.assert(
      fc.property(path, rules, fc.nat(500), (steps, by, later) => {
        const last = states(steps, { ...by, fling: null }).at(-1) as Pull;
        const at = steps.reduce((sum, { after }) => sum + after, later);
        const isDone = last.phase === 'pulling' && last.isFar;
        expect(lift(last, at, { ...by, fling: null })).toEqual({ phase: 'over', isDone });
      }),
    );
  });

  test('is the same wherever on the screen the finger is put down', () => {
    fc.assert(
      fc.property(path, rules, coordinate, coordinate, (steps, by, dx, dy) => {
        const here = states(steps, by).at(-1) as Pull;
        let there = putDown({ x: dx, y: dy, at: 0 });
        let at = 0;
        for (const { x, y, after } of steps) {
          at += after;
          there = moveTo(there, { x: x + dx, y: y + dy, at }, by);
        }
        expect(lift(there, at, by)).toEqual(lift(here, at, by));
      }),
    );
  });
});

describe('a sheet', () => {
  test('returns from a short pull and closes after a long one', () => {
    for (const [to, isDone] of [
      [100, false],
      [129, false],
      [130, true],
      [400, true],
    ] as const) {
      const { pull, at } = pulled(SHEET, 11, to);
      expect(lift(pull, at + 300, SHEET), String(to)).toEqual({ phase: 'over', isDone });
    }
  });

  test('closes with a fling, and not with one of a finger that rested before it was lifted', () => {
    const { pull, at } = pulled(SHEET, 12, 30, 50);
    expect(lift(pull, at, SHEET)).toEqual({ phase: 'over', isDone: true });
    expect(lift(pull, at + 300, SHEET)).toEqual({ phase: 'over', isDone: false });
  });

  test('stays with a slip of a tap, however fast', () => {
    const { pull, at } = pulled(SHEET, 11, 30);
    expect(lift(pull, at, SHEET)).toEqual({ phase: 'over', isDone: false });
  });

  test('returns when it is flung back, from any distance', () => {
    const { pull, at } = pulled(SHEET, 12, 300, 340, 320, 300, 280, 260, 240, 220, 200);
    expect(pull).toMatchObject({ phase: 'pulling', isFar: true });
    expect(lift(pull, at, SHEET)).toEqual({ phase: 'over', isDone: false });
  });

  test('stays when the browser takes the finger away', () => {
    expect(cancel()).toEqual({ phase: 'over', isDone: false });
  });
});

test('a row that comes back before the finger is lifted is not done', () => {
  const { pull, at } = pulled(ROW, 20, 90, 40);
  expect(lift(pull, at, ROW)).toEqual({ phase: 'over', isDone: false });
  expect(lift(pulled(ROW, 20, 90).pull, 32, ROW)).toEqual({ phase: 'over', isDone: true });
});
