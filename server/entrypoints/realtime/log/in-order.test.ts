import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InOrder, type Page } from './in-order.ts';
import { NO_PATIENCE, type Patience } from './patience.ts';

const LONG = { ...NO_PATIENCE, forGapMs: 60_000, forRowMs: 60_000 };
const SHORT = { ...NO_PATIENCE, forGapMs: 5, forRowMs: 5 };

/** A log of numbers, which are their own rows. */
class Numbers extends InOrder<number> {
  readonly delivered: number[] = [];
  reads = 0;
  /** What the log has. */
  last = 0;
  bytes = 1;
  #gate: Promise<void> = Promise.resolve();

  constructor(patience?: Patience) {
    super(patience);
    this.startAt(0);
  }

  /** Reads take their snapshot at once, and return it when the returned function is called. */
  hold(): () => void {
    let open = () => {};
    this.#gate = new Promise((resolve) => {
      open = resolve;
    });
    return open;
  }

  /** The log has the row, and the bus brings it. */
  bring(...numbers: number[]): void {
    for (const number of numbers) {
      this.last = Math.max(this.last, number);
      this.announce(number, number);
    }
  }

  protected numberOf(row: number): number {
    return row;
  }

  protected override sizeOf(): number {
    return this.bytes;
  }

  protected async readAfter(number: number): Promise<Page<number>> {
    this.reads++;
    const rows = upTo(this.last).slice(number, number + 200);
    await this.#gate;
    return { rows };
  }

  protected deliver(row: number): void {
    this.delivered.push(row);
  }
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('rows that cross each other on their way', () => {
  it('are delivered in order, and nothing is read', () => {
    const log = new Numbers(LONG);
    log.bring(2, 4, 3, 1, 6, 5);
    expect(log.delivered).toEqual([1, 2, 3, 4, 5, 6]);
    expect(log.reads).toBe(0);
  });

  it('one that does not come is read, and what has come since follows it', async () => {
    const log = new Numbers(SHORT);
    log.bring(2, 3);
    expect(log.delivered).toEqual([]);
    await expect.poll(() => log.delivered, { timeout: 20_000 }).toEqual([1, 2, 3]);
    expect(log.reads).toBe(1);
  });

  it('a number without its row is read after the same time', async () => {
    const log = new Numbers(SHORT);
    log.last = 2;
    log.announce(2);
    expect(log.reads).toBe(0);
    await expect.poll(() => log.delivered, { timeout: 20_000 }).toEqual([1, 2]);
  });

  it('during a read, rows are delivered as they come, and once', async () => {
    const log = new Numbers();
    const open = log.hold();
    log.bring(2);
    log.bring(3);
    log.bring(1);
    log.bring(4);
    expect(log.delivered).toEqual([1, 2, 3, 4]);
    open();
    await nextTurn();
    log.bring(5);
    expect(log.delivered).toEqual([1, 2, 3, 4, 5]);
    expect(log.reads).toBe(1);
  });

  it.each([
    ['256 rows', 1, 256],
    ['1 MiB', 16 * 1024, 64],
  ])('not more than %s are kept; the rest is read', async (_, bytes, kept) => {
    const log = new Numbers(LONG);
    log.bytes = bytes;
    for (let number = 2; number <= 400; number++) log.bring(number);
    log.bring(1);
    expect(log.delivered).toEqual(upTo(kept + 1));
    expect(log.reads).toBe(0);
  });
});

describe('how long a missing row took is observed', () => {
  function observed(patience: Patience) {
    const times: number[] = [];
    return { times, log: new Numbers({ ...patience, observe: (ms) => times.push(ms) }) };
  }

  it('when it comes while it is waited for', () => {
    const { times, log } = observed(LONG);
    log.bring(1, 3, 4, 2);
    expect(times).toHaveLength(1);
    log.bring(5, 6);
    expect(times).toHaveLength(1);
  });

  it('when it comes after it was read, once', async () => {
    const { times, log } = observed(SHORT);
    log.bring(2);
    await expect.poll(() => log.head, { timeout: 20_000 }).toBe(2);
    expect(times).toEqual([]);
    log.bring(1, 1, 3);
    expect(times).toHaveLength(1);
    expect(times[0]).toBeGreaterThanOrEqual(4);
  });

  it('never, when only its number comes', () => {
    const { times, log } = observed(LONG);
    log.announce(2);
    log.announce(1);
    expect(times).toEqual([]);
  });
});

it('a process alone waits for nothing: what is missing is read at once', async () => {
  const log = new Numbers();
  log.bring(2);
  expect(log.reads).toBe(1);
  await expect.poll(() => log.delivered, { timeout: 20_000 }).toEqual([1, 2]);
});

it('a number that the log does not have is read less and less often, until it has it', async () => {
  const log = new Numbers();
  const from = performance.now();
  log.announce(1);
  await expect.poll(() => log.reads, { timeout: 20_000, interval: 1 }).toBe(4);
  // 50, 100 and 200 ms; timers may be a millisecond early.
  expect(performance.now() - from).toBeGreaterThan(340);
  log.last = 1;
  await expect.poll(() => log.delivered, { timeout: 20_000 }).toEqual([1]);
});

it('whatever comes late, twice, in another order or never: each row once, ascending, without a gap', async () => {
  const arrival = fc.record({
    number: fc.integer({ min: 1, max: 30 }),
    what: fc.constantFrom('row', 'number', 'turn'),
  });
  const plans = fc.array(arrival, { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(plans, fc.constantFrom(SHORT, NO_PATIENCE), async (plan, patience) => {
      const log = new Numbers(patience);
      let announced = 0;
      for (const { number, what } of plan) {
        if (what === 'turn') await nextTurn();
        else if (what === 'row') log.bring(number);
        else {
          log.last = Math.max(log.last, number);
          log.announce(number);
        }
        if (what !== 'turn') announced = Math.max(announced, number);
        expect(log.delivered).toEqual(upTo(log.delivered.length));
      }
      await expect.poll(() => log.head, { timeout: 20_000, interval: 1 }).toBe(announced);
      expect(log.delivered).toEqual(upTo(announced));
    }),
    { numRuns: 50 },
  );
});
