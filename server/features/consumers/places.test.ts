import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CursorMove } from '../../data/storage/store.ts';
import { Places } from './places.ts';

const neverBusy = () => false;

/** The cursors of some rooms, as the store keeps them. */
class StoredCursors {
  readonly at: Map<number, number>;
  readonly asked: number[] = [];
  readonly moves: CursorMove[][] = [];
  isAway = false;
  /** What happens while the cursors are moved. */
  meanwhile = () => {};

  constructor(at: Iterable<readonly [roomId: number, at: number]>) {
    this.at = new Map(at);
  }

  async place(roomId: number) {
    this.asked.push(roomId);
    const at = this.at.get(roomId);
    return at === undefined ? undefined : { roomId, at, head: at };
  }

  async move(moves: readonly CursorMove[]): Promise<number[]> {
    this.meanwhile();
    if (this.isAway) throw new Error('the database is away');
    this.moves.push([...moves]);
    const lost: number[] = [];
    for (const { roomId, from, to } of moves) {
      if (this.at.get(roomId) === from) this.at.set(roomId, to);
      else lost.push(roomId);
    }
    return lost;
  }
}

/** A room that has gone on, without a word to the store. */
async function goOn(places: Places, roomId: number, by = 1): Promise<void> {
  const place = await places.find(roomId);
  if (place) place.at += by;
}

describe('find', () => {
  it('reads the cursor once, and then remembers the place', async () => {
    const cursors = new StoredCursors([[7, 40]]);
    const places = new Places(cursors);
    expect(places.get(7)).toBe(undefined);
    const place = await places.find(7);
    expect(place).toEqual({ at: 40, stored: 40 });
    expect([await places.find(7), places.get(7)]).toEqual([place, place]);
    expect(cursors.asked).toEqual([7]);
  });

  it('does not remember a room that is not there: there may be one later', async () => {
    const cursors = new StoredCursors([]);
    const places = new Places(cursors);
    expect(await places.find(7)).toBe(undefined);
    cursors.at.set(7, 0);
    expect(await places.find(7)).toEqual({ at: 0, stored: 0 });
  });

  it.each<[string, (places: Places) => void]>([
    ['forget', (places) => places.forget(7)],
    ['clear', (places) => places.clear()],
  ])('reads the cursor again after %s', async (_, lose) => {
    const cursors = new StoredCursors([[7, 40]]);
    const places = new Places(cursors);
    await goOn(places, 7);
    lose(places);
    cursors.at.set(7, 60);
    expect([places.get(7), await places.find(7)]).toEqual([undefined, { at: 60, stored: 60 }]);
  });
});

describe('store', () => {
  it('moves the cursors of rooms that have gone on, and of no others', async () => {
    const cursors = new StoredCursors([
      [7, 40],
      [8, 0],
    ]);
    const places = new Places(cursors);
    await goOn(places, 7, 3);
    await places.find(8);
    await places.store(neverBusy);
    expect(cursors.moves).toEqual([[{ roomId: 7, from: 40, to: 43 }]]);
    expect(places.get(7)).toEqual({ at: 43, stored: 43 });
  });

  it('forgets a room that is stored and not busy; one that has just been stored has until the next time', async () => {
    const places = new Places(
      new StoredCursors([
        [7, 40],
        [8, 0],
        [9, 0],
      ]),
    );
    await goOn(places, 7);
    for (const roomId of [8, 9]) await places.find(roomId);
    const isBusy = (roomId: number) => roomId === 9;
    await places.store(isBusy);
    expect([7, 8, 9].filter((roomId) => places.get(roomId))).toEqual([7, 9]);
    await places.store(isBusy);
    expect([7, 8, 9].filter((roomId) => places.get(roomId))).toEqual([9]);
  });

  it('forgets a room whose cursor was elsewhere, and moves the others', async () => {
    const cursors = new StoredCursors([
      [7, 40],
      [8, 0],
    ]);
    const places = new Places(cursors);
    for (const roomId of [7, 8]) await goOn(places, roomId);
    cursors.at.set(7, 60);
    await places.store(neverBusy);
    expect([places.get(7), places.get(8)]).toEqual([undefined, { at: 1, stored: 1 }]);
    expect(await places.find(7)).toEqual({ at: 60, stored: 60 });
  });

  it('stores what happens meanwhile the next time', async () => {
    const cursors = new StoredCursors([[7, 40]]);
    const places = new Places(cursors);
    await goOn(places, 7);
    cursors.meanwhile = () => {
      const place = places.get(7);
      if (place) place.at = 50;
    };
    await places.store(neverBusy);
    expect(places.get(7)).toEqual({ at: 50, stored: 41 });
    await places.store(neverBusy);
    expect(cursors.moves.at(-1)).toEqual([{ roomId: 7, from: 41, to: 50 }]);
  });

  it('moves 200 rooms in one command; when one fails, those before it stay, and the next time has the rest', async () => {
    const ids = Array.from({ length: 450 }, (_, index) => index + 1);
    const cursors = new StoredCursors(ids.map((roomId) => [roomId, 0]));
    const places = new Places(cursors);
    for (const roomId of ids) await goOn(places, roomId);
    cursors.meanwhile = () => {
      cursors.isAway = cursors.moves.length === 1;
    };
    await expect(places.store(neverBusy)).rejects.toThrow('the database is away');
    cursors.meanwhile = () => {};
    cursors.isAway = false;
    await places.store(neverBusy);
    expect(cursors.moves.map((moves) => moves.length)).toEqual([200, 200, 50]);
    expect(cursors.moves.flat().map(({ roomId }) => roomId)).toEqual(ids);
  });

  it('sometimes: five seconds after the last time, also where that has failed', async () => {
    let now = 1000;
    const cursors = new StoredCursors([[7, 0]]);
    const places = new Places(cursors, () => now);
    const storedAt: number[] = [];
    cursors.isAway = true;
    for (; now <= 16_500; now += 500) {
      await goOn(places, 7);
      await places.storeSometimes(neverBusy).catch(() => storedAt.push(now));
    }
    expect(storedAt).toEqual([6000, 11_000, 16_000]);
  });
});

const ROOMS = [1, 2, 3, 4];
type Act = { what: string; roomId: number; by: number };
const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom('find', 'go on', 'go on', 'consume', 'forget', 'clear', 'store', 'fail', 'elsewhere'),
  roomId: fc.constantFrom(...ROOMS),
  by: fc.integer({ min: 1, max: 5 }),
});

/** What this process may know, beside the cursors. */
class History {
  readonly cursors = new StoredCursors(ROOMS.map((roomId) => [roomId, 0]));
  readonly places = new Places(this.cursors);
  /** How far this process has come since it last read the cursor. */
  readonly #handled = new Map<number, number>();
  /** Rooms whose cursor another process has moved since this one read it. */
  readonly #isElsewhere = new Set<number>();

  async happen({ what, roomId, by }: Act): Promise<void> {
    const place = this.places.get(roomId);
    if (what === 'find') await this.#find(roomId);
    if (what === 'go on' && place) this.#goTo(roomId, place.at + by);
    if (what === 'consume') await this.#consume(roomId, by);
    if (what === 'forget') this.places.forget(roomId);
    if (what === 'clear') this.places.clear();
    if (what === 'store') await this.#store((id) => id === roomId);
    if (what === 'fail') await this.#storeWhileAway();
    if (what === 'elsewhere') {
      this.cursors.at.set(roomId, (this.cursors.at.get(roomId) ?? 0) + by);
      if (place) this.#isElsewhere.add(roomId);
    }
  }

  check(): void {
    for (const roomId of ROOMS) {
      const place = this.places.get(roomId);
      if (!place) continue;
      expect(place.at).toBe(this.#handled.get(roomId));
      expect(place.stored).toBeLessThanOrEqual(place.at);
      if (!this.#isElsewhere.has(roomId)) expect(place.stored).toBe(this.cursors.at.get(roomId));
    }
  }

  async #find(roomId: number): Promise<void> {
    const isNew = !this.places.get(roomId);
    const found = await this.places.find(roomId);
    if (!isNew) return;
    this.#isElsewhere.delete(roomId);
    this.#handled.set(roomId, this.cursors.at.get(roomId) ?? 0);
    expect(found).toEqual({ at: this.#handled.get(roomId), stored: this.#handled.get(roomId) });
  }

  #goTo(roomId: number, at: number): void {
    const place = this.places.get(roomId);
    if (place) place.at = at;
    this.#handled.set(roomId, at);
  }

  /** The work moves the cursor itself. */
  async #consume(roomId: number, by: number): Promise<void> {
    await this.#find(roomId);
    const place = this.places.get(roomId);
    if (!place) return;
    if (this.#isElsewhere.has(roomId)) return this.places.forget(roomId);
    this.#goTo(roomId, place.at + by);
    place.stored = place.at;
    this.cursors.at.set(roomId, place.at);
  }

  async #store(isBusy: (roomId: number) => boolean): Promise<void> {
    const known = ROOMS.filter((roomId) => this.places.get(roomId));
    const wentOn = known.filter((roomId) => this.#hasGoneOn(roomId));
    const before = this.cursors.moves.length;
    await this.places.store(isBusy);
    const moved = this.cursors.moves.slice(before).flat();
    expect(moved.map(({ roomId }) => roomId).sort()).toEqual(wentOn);
    for (const roomId of known) {
      const isKept = wentOn.includes(roomId) ? !this.#isElsewhere.has(roomId) : isBusy(roomId);
      expect([roomId, this.places.get(roomId) !== undefined]).toEqual([roomId, isKept]);
      expect(this.#hasGoneOn(roomId)).toBe(false);
    }
  }

  async #storeWhileAway(): Promise<void> {
    this.cursors.isAway = true;
    const wentOn = ROOMS.filter((roomId) => this.#hasGoneOn(roomId));
    await this.places.store(() => true).catch(() => undefined);
    expect(ROOMS.filter((roomId) => this.#hasGoneOn(roomId))).toEqual(wentOn);
    this.cursors.isAway = false;
  }

  #hasGoneOn(roomId: number): boolean {
    const place = this.places.get(roomId);
    return place !== undefined && place.at > place.stored;
  }
}

it('a place is always what was handled, and a cursor moves from where it was to what was handled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 60 }), async (acts) => {
      const history = new History();
      for (const one of acts) {
        await history.happen(one);
        history.check();
      }
      for (const { from, to } of history.cursors.moves.flat()) expect(to).toBeGreaterThan(from);
    }),
    { numRuns: 300 },
  );
});
