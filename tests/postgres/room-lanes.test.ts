import { describe, expect, it } from 'vitest';
import type { LaneClock } from '../../server/data/storage/lane-clock.ts';
import { type CallFate, RoomLanes } from '../../server/data/storage/room-lanes.ts';
import { seededRandom } from '../support/random.ts';

interface Item {
  roomId: number;
  text: string;
  cid: string | null;
}

class Failure extends Error {
  readonly fate: CallFate;
  constructor(fate: CallFate) {
    super(fate);
    this.fate = fate;
  }
}

/** Time that goes on only when nothing else can happen. */
class Timeline implements LaneClock {
  #now = 0;
  #sleepers: { at: number; wake(): void }[] = [];

  now = () => this.#now;
  sleep = (ms: number) =>
    new Promise<void>((wake) => {
      this.#sleepers.push({ at: this.#now + ms, wake });
    });
  nextTurn = (callback: () => void) => {
    setImmediate(callback);
  };

  /** Lets time pass until `done` is true. */
  async run(done: () => boolean): Promise<void> {
    while (!done()) {
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      const next = this.#sleepers.sort((one, other) => one.at - other.at).shift();
      if (!next) continue;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
  }
}

/** A database with receipts, whose calls fail in every way. */
class Database {
  readonly rooms = new Map<number, Item[]>();
  readonly #receipts = new Map<number, { n: number; results: number[] }>();
  readonly #open = new Set<number>();
  readonly widths: number[] = [];
  fateOfCall: () => CallFate | 'stored' | 'stored unheard' = () => 'stored';
  /** False: a batch is stored each time that it arrives. */
  hasReceipts = true;

  async call(writer: number, n: number, items: readonly Item[], clock: LaneClock): Promise<number[]> {
    for (const lane of new Set(items.map(({ roomId }) => roomId % 64))) {
      expect(this.#open.has(lane)).toBe(false);
      this.#open.add(lane);
    }
    this.widths.push(items.length);
    await clock.sleep(1);
    for (const { roomId } of items) this.#open.delete(roomId % 64);
    const fate = this.fateOfCall();
    if (fate !== 'stored' && fate !== 'stored unheard') throw new Failure(fate);
    const results = this.#store(writer, n, items);
    if (fate === 'stored unheard') throw new Failure('unknown');
    return results;
  }

  #store(writer: number, n: number, items: readonly Item[]): number[] {
    const last = this.#receipts.get(writer) ?? { n: 0, results: [] };
    if (this.hasReceipts && last.n === n) return last.results;
    if (this.hasReceipts) expect(n).toBe(last.n + 1);
    const results = items.map((item) => {
      const room = this.rooms.get(item.roomId) ?? [];
      this.rooms.set(item.roomId, room);
      const known = item.cid === null ? -1 : room.findIndex(({ cid }) => cid === item.cid);
      return known >= 0 ? known + 1 : room.push(item);
    });
    this.#receipts.set(writer, { n, results });
    return results;
  }
}

function lanesOver(database: Database, clock: Timeline, writers = 4) {
  return new RoomLanes<Item, number>(
    {
      call: (writer, n, items) => database.call(writer, n, items, clock),
      fateOf: (error) => (error instanceof Failure ? error.fate : 'unknown'),
      weigh: ({ text }) => text.length,
      keyOf: ({ roomId, cid }) => (cid === null ? null : `${roomId} ${cid}`),
      isRepeatable: ({ cid }) => cid !== null,
    },
    writers,
    clock,
  );
}

/** Submits many items over a database that fails at random. */
async function play(seed: number, hasReceipts = true) {
  const random = seededRandom(seed);
  const clock = new Timeline();
  const database = new Database();
  database.hasReceipts = hasReceipts;
  const fates = ['unsent', 'unknown', 'stored unheard', 'refused'] as const;
  database.fateOfCall = () => (random.next() < 0.3 ? (fates[random.integer(0, 3)] ?? 'unsent') : 'stored');
  const lanes = lanesOver(database, clock);
  const settled: { item: Item; seq: number | null }[] = [];
  let left = 300;
  for (let count = 0; count < 300; count++) {
    const roomId = random.integer(1, 70);
    const item = { roomId, text: `text ${count}`, cid: random.next() < 0.5 ? `cid ${count}` : null };
    void lanes
      .submit(roomId, item)
      .then(
        (seq) => settled.push({ item, seq }),
        () => settled.push({ item, seq: null }),
      )
      .finally(() => left--);
    if (random.next() < 0.2) await new Promise(setImmediate);
  }
  await clock.run(() => left === 0);
  database.fateOfCall = () => 'stored';
  const idle = lanes.idle();
  let isIdle = false;
  void idle.then(() => {
    isIdle = true;
  });
  await clock.run(() => isIdle);
  return { database, settled };
}

describe('lanes of rooms', () => {
  it('whatever fails: an item that resolved is there once, in the order of the calls of its room', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { database, settled } = await play(seed);
      for (const { item, seq } of settled)
        if (seq !== null) expect(database.rooms.get(item.roomId)?.[seq - 1]).toBe(item);
      for (const [roomId, items] of database.rooms) {
        const order = items.map(({ text }) => Number(text.slice(5)));
        expect(order).toEqual(order.toSorted((one, other) => one - other));
        const resolved = settled.filter(({ item, seq }) => item.roomId === roomId && seq !== null);
        const seqs = resolved.map(({ seq }) => seq ?? 0);
        expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
      }
    }
  });

  it('a rejected item without a cid is not there', async () => {
    for (let seed = 100; seed <= 120; seed++) {
      const { database, settled } = await play(seed);
      for (const { item, seq } of settled)
        if (seq === null && item.cid === null)
          expect(database.rooms.get(item.roomId)?.includes(item) ?? false).toBe(false);
    }
  });

  it('without receipts, the check above finds doubled items', async () => {
    let doubled = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const { database } = await play(seed, false);
      for (const items of database.rooms.values())
        doubled += items.length - new Set(items.map(({ text }) => text)).size;
    }
    expect(doubled).toBeGreaterThan(0);
  });

  it('what comes in one turn shares a batch over all rooms; two of one key never do', async () => {
    const clock = new Timeline();
    const database = new Database();
    const lanes = lanesOver(database, clock, 1);
    const items = Array.from({ length: 50 }, (_, index) => ({ roomId: index + 1, text: 'x', cid: null }));
    const twin = { roomId: 1, text: 'x', cid: 'twin' };
    let settled = 0;
    for (const item of [...items, twin, twin]) void lanes.submit(item.roomId, item).finally(() => settled++);
    await clock.run(() => settled === 52);
    expect(database.widths).toEqual([51, 1]);
  });

  it('a command of a room runs alone, after the items before it and before those after it', async () => {
    const clock = new Timeline();
    const database = new Database();
    const lanes = lanesOver(database, clock);
    const seen: (number | string)[] = [];
    const say = (text: string) =>
      lanes.submit(7, { roomId: 7, text, cid: null }).then((seq) => seen.push(seq));
    const done = Promise.all([
      say('before'),
      lanes.run(7, async () => {
        seen.push(`command after ${database.rooms.get(7)?.length}`);
        await clock.sleep(10);
        seen.push(`command ends after ${database.rooms.get(7)?.length}`);
      }),
      say('after'),
    ]);
    let isDone = false;
    void done.then(() => {
      isDone = true;
    });
    await clock.run(() => isDone);
    expect(seen).toEqual([1, 'command after 1', 'command ends after 1', 2]);
  });

  it('an item at fault is rejected alone', async () => {
    const clock = new Timeline();
    const database = new Database();
    const lanes = lanesOver(database, clock, 1);
    const outcomes: (number | string)[] = [];
    const say = (text: string) =>
      lanes.submit(7, { roomId: 7, text, cid: null }).then(
        (seq) => outcomes.push(seq),
        () => outcomes.push('rejected'),
      );
    // The batch, and then the second item.
    const fates = ['faulty', 'stored', 'faulty', 'stored'] as const;
    let calls = 0;
    database.fateOfCall = () => fates[calls++] ?? 'stored';
    say('one');
    say('two');
    say('three');
    await clock.run(() => outcomes.length === 3);
    expect(outcomes).toEqual([1, 'rejected', 2]);
  });

  it.each([
    ['was never sent', 'unsent', ['rejected', 'rejected']],
    ['has an unknown outcome, if it has a cid', 'unknown', ['rejected']],
  ] as const)('after 5 s, an item that %s is rejected', async (_, fate, expected) => {
    const clock = new Timeline();
    const database = new Database();
    const lanes = lanesOver(database, clock);
    const outcomes: (number | string)[] = [];
    database.fateOfCall = () => fate;
    for (const cid of ['c', null])
      void lanes.submit(7, { roomId: 7, text: 'x', cid }).then(
        (seq) => outcomes.push(seq),
        () => outcomes.push('rejected'),
      );
    await clock.run(() => clock.now() > 20_000 || outcomes.length === expected.length);
    expect(outcomes).toEqual(expected);
    expect(clock.now()).toBeGreaterThanOrEqual(5000);
    database.fateOfCall = () => 'stored';
    await clock.run(() => outcomes.length === 2);
  });

  it('what waits behind a batch of unknown outcome is rejected after 5 s, commands too, and was never begun', async () => {
    const clock = new Timeline();
    const database = new Database();
    const lanes = lanesOver(database, clock, 1);
    database.fateOfCall = () => 'unknown';
    let first: number | string = 'open';
    void lanes.submit(7, { roomId: 7, text: 'first', cid: null }).then((seq) => {
      first = seq;
    });
    await clock.run(() => clock.now() > 0);
    const outcomes: string[] = [];
    const note = (outcome: Promise<unknown>) =>
      void outcome.then(
        () => outcomes.push('done'),
        ({ code }) => outcomes.push(`${code} at ${clock.now() >= 5000}`),
      );
    let begun = 0;
    for (const roomId of [7, 8]) {
      note(lanes.submit(roomId, { roomId, text: 'x', cid: null }));
      note(
        lanes.run(roomId, async () => {
          begun++;
        }),
      );
    }
    await clock.run(() => outcomes.length === 4 || clock.now() > 20_000);
    expect(outcomes).toEqual(Array(4).fill('service_unavailable at true'));
    expect([begun, first]).toEqual([0, 'open']);
    database.fateOfCall = () => 'stored';
    await clock.run(() => first !== 'open');
    expect(first).toBe(1);
    expect(database.rooms.get(7)).toHaveLength(1);
    let isIdle = false;
    void lanes.idle().then(() => {
      isIdle = true;
    });
    await clock.run(() => isIdle);
  });
});
