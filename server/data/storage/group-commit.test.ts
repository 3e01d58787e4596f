import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../protocol/errors.ts';
import { GroupCommit, ItemFailure } from './group-commit.ts';

const LIMITS = { maxBatch: 4, maxWaitingBytes: 10 };

/** As many turns of the event loop as a batch takes to be gathered and handed over, and one more. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await nextTurn();
}

interface Item {
  id: number;
  weight: number;
}

/** A commit that a test ends by hand. */
function handCommit() {
  const batches: number[][] = [];
  let running: { items: Item[]; resolve(results: string[]): void; reject(error: Error): void } | undefined;
  const queue = new GroupCommit<Item, string>(
    (items) => {
      if (running) throw new Error('two commits at once');
      batches.push(items.map(({ id }) => id));
      return new Promise((resolve, reject) => {
        running = { items, resolve, reject };
      });
    },
    ({ weight }) => weight,
    LIMITS,
  );
  function end(succeeds: boolean): void {
    const ending = running;
    running = undefined;
    if (succeeds) ending?.resolve(ending.items.map(({ id }) => `result ${id}`));
    else ending?.reject(new Error('this batch failed'));
  }
  return { queue, batches, end, isRunning: () => running !== undefined };
}

/** What happens within one turn of the event loop: a commit may end, and items come. */
interface Turn {
  end: 'no' | 'succeeds' | 'fails';
  weights: number[];
}

const turns: fc.Arbitrary<Turn[]> = fc.array(
  fc.record({
    end: fc.constantFrom('no' as const, 'succeeds' as const, 'fails' as const),
    weights: fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 }),
  }),
  { maxLength: 30 },
);

/** A model of the rules: which batches run, and in which order items settle with which result. */
class Model {
  readonly batches: number[][] = [];
  readonly settled: string[] = [];
  #waiting: Item[] = [];
  #running: Item[] = [];

  submit(item: Item): boolean {
    const bytes = this.#waiting.reduce((sum, { weight }) => sum + weight, 0);
    if (bytes + item.weight > LIMITS.maxWaitingBytes) return false;
    this.#waiting.push(item);
    return true;
  }

  endOfTurn(end: Turn['end']): void {
    if (this.#running.length > 0 && end !== 'no') {
      for (const { id } of this.#running)
        this.settled.push(end === 'succeeds' ? `result ${id}` : `${id}: this batch failed`);
      this.#running = [];
    }
    if (this.#running.length > 0 || this.#waiting.length === 0) return;
    this.#running = this.#waiting.splice(0, LIMITS.maxBatch);
    this.batches.push(this.#running.map(({ id }) => id));
  }
}

async function play(script: Turn[]): Promise<void> {
  const { queue, batches, end, isRunning } = handCommit();
  const model = new Model();
  const settled: string[] = [];
  const results: Promise<unknown>[] = [];
  let lastId = 0;
  for (const { end: ending, weights } of script) {
    if (ending !== 'no') end(ending === 'succeeds');
    const refused: string[] = [];
    const expectedRefused: string[] = [];
    for (const weight of weights) {
      const item = { id: ++lastId, weight };
      const isAccepted = model.submit(item);
      if (!isAccepted) expectedRefused.push(`${item.id}: service_unavailable`);
      const result = queue.submit(item).then(
        (result) => settled.push(result),
        (error) =>
          error instanceof AppError
            ? refused.push(`${item.id}: ${error.code}`)
            : settled.push(`${item.id}: ${error.message}`),
      );
      results.push(result);
    }
    model.endOfTurn(ending);
    await turn();
    // Refusals come at once, even while a commit runs.
    expect(refused).toEqual(expectedRefused);
    expect(batches).toEqual(model.batches);
    expect(settled).toEqual(model.settled);
  }
  const idle = queue.idle();
  while (isRunning()) {
    end(true);
    model.endOfTurn('succeeds');
    await turn();
  }
  await idle;
  await Promise.all(results);
  expect(settled).toEqual(model.settled);
}

describe('group commit', () => {
  it('commits whole batches in order and loses no item, for any arrival and failure', async () => {
    await fc.assert(fc.asyncProperty(turns, play), { numRuns: 300 });
  });

  it('items from several sockets in one turn are one batch', async () => {
    const { queue, batches, end } = handCommit();
    const results = [queue.submit({ id: 1, weight: 1 })];
    // Microtasks run between one socket's read and the next.
    await Promise.resolve();
    results.push(queue.submit({ id: 2, weight: 1 }));
    await nextTurn();
    results.push(queue.submit({ id: 3, weight: 1 }));
    await turn();
    expect(batches).toEqual([[1, 2, 3]]);
    end(true);
    await Promise.all(results);
  });

  it('items of one turn are one batch; items that come while it runs make the next', async () => {
    const { queue, batches, end } = handCommit();
    const results = [1, 2].map((id) => queue.submit({ id, weight: 1 }));
    await turn();
    results.push(...[3, 4, 5].map((id) => queue.submit({ id, weight: 1 })));
    await turn();
    expect(batches).toEqual([[1, 2]]);
    end(true);
    await turn();
    expect(batches).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
    end(true);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5].map((id) => `result ${id}`));
  });

  it('a batch has no more than maxBatch items', async () => {
    const { queue, batches, end } = handCommit();
    const results = Array.from({ length: 9 }, (_, id) => queue.submit({ id, weight: 1 }));
    for (let round = 0; round < 3; round++) {
      await turn();
      end(true);
    }
    await Promise.all(results);
    expect(batches.map(({ length }) => length)).toEqual([4, 4, 1]);
  });

  it('bytes that wait are bounded: more is refused at once, as service_unavailable with a time to wait', async () => {
    const { queue, end } = handCommit();
    const running = queue.submit({ id: 1, weight: 10 });
    await turn();
    // What runs does not wait any more.
    const waiting = queue.submit({ id: 2, weight: 10 });
    await expect(queue.submit({ id: 3, weight: 1 })).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
      retryAfterMs: expect.any(Number),
    });
    end(true);
    expect(await running).toBe('result 1');
    await turn();
    const again = queue.submit({ id: 4, weight: 10 });
    end(true);
    expect(await waiting).toBe('result 2');
    await turn();
    end(true);
    expect(await again).toBe('result 4');
  });

  it('a failed batch fails whole and does not stop the next', async () => {
    const { queue, end } = handCommit();
    const first = [1, 2].map((id) => queue.submit({ id, weight: 1 }));
    await turn();
    const second = queue.submit({ id: 3, weight: 1 });
    end(false);
    for (const { status } of await Promise.allSettled(first)) expect(status).toBe('rejected');
    await turn();
    end(true);
    expect(await second).toBe('result 3');
  });

  it('an item that fails by itself is rejected alone', async () => {
    const commit = async (items: number[]) =>
      items.map((item) => (item === 2 ? new ItemFailure(new Error('not this one')) : `result ${item}`));
    const queue = new GroupCommit<number, string>(commit, () => 1, LIMITS);
    const settled = await Promise.allSettled([1, 2, 3].map((item) => queue.submit(item)));
    expect(settled).toEqual([
      { status: 'fulfilled', value: 'result 1' },
      { status: 'rejected', reason: new Error('not this one') },
      { status: 'fulfilled', value: 'result 3' },
    ]);
  });

  it('idle resolves at once when nothing was submitted, and only after the last commit', async () => {
    const { queue, end } = handCommit();
    await queue.idle();
    const result = queue.submit({ id: 1, weight: 1 });
    let isIdle = false;
    const idle = queue.idle().then(() => {
      isIdle = true;
    });
    await turn();
    expect(isIdle).toBe(false);
    end(true);
    await idle;
    expect(await result).toBe('result 1');
  });
});

describe('a batch', () => {
  /** Submits one item in each of `turns` turns of the event loop. Returns the batches. */
  async function submitInTurns(turns: number): Promise<number[]> {
    const batches: number[] = [];
    const limits = { maxBatch: 1000, maxWaitingBytes: 1000 };
    const commit = async (items: number[]) => {
      batches.push(items.length);
      return items;
    };
    const queue = new GroupCommit<number, number>(commit, () => 1, limits);
    const done: Promise<number>[] = [];
    for (let each = 0; each < turns; each++) {
      done.push(queue.submit(each));
      await nextTurn();
    }
    await Promise.all(done);
    return batches;
  }

  it('takes what comes in each of the next turns', async () => {
    expect(await submitInTurns(4)).toEqual([4]);
  });

  it('is closed after nine turns, however many items come', async () => {
    const [first = 0, ...others] = await submitInTurns(40);
    expect(first).toBeLessThanOrEqual(9);
    expect(others.length).toBeGreaterThan(2);
  });
});
