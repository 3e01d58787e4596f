import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BusEvent } from '../../data/bus/bus.ts';
import { DAY, NOW, newUserAndRoom, say, texts } from '../../data/storage/contract/subject.ts';
import { openTemporaryStore, type TemporaryStore } from '../../data/storage/sqlite/temporary-store.ts';
import { KeepLess, type KeepLessOptions } from './keep-less.ts';

const MINUTE = 60_000;

describe('the daily deletion of what is old', () => {
  let temporary: TemporaryStore;
  let time: number;
  beforeEach(async () => {
    temporary = await openTemporaryStore();
    time = NOW + 100 * DAY;
  });
  afterEach(() => temporary.dispose());

  /** `before`: happens before each read of texts. */
  function keepLess(days: number, before: (query: { roomId: number; afterSeq: number }) => Promise<void>) {
    const { store } = temporary;
    const events: BusEvent[] = [];
    const slow: KeepLessOptions['store'] = {
      takeTurn: (turn) => store.takeTurn(turn),
      setTurn: (turn) => store.setTurn(turn),
      pruneTexts: (prune) => store.pruneTexts(prune),
      roomIds: (of) => store.roomIds(of),
      roomsLosingFiles: () => store.roomsLosingFiles(),
      pruneFiles: (prune) => store.pruneFiles(prune),
      async oldTexts(query) {
        await before(query);
        return store.oldTexts(query);
      },
      async pruneAudit(prune) {
        time += 4 * MINUTE;
        expect(await otherTakesTurn()).toBe(false);
        return store.pruneAudit({ ...prune, limit: 1 }).then((count) => count * prune.limit);
      },
    };
    const options = { store: slow, bus: { publish: (event: BusEvent) => void events.push(event) } };
    const run = new KeepLess({ ...options, keepMessagesDays: days, keepAuditDays: days, now: () => time });
    return { run: () => run.run(), events };
  }

  function otherTakesTurn(): Promise<boolean> {
    return temporary.store.takeTurn({ task: 'retention', now: time, until: time + 1 });
  }

  it('keeps its turn for as long as it takes, also where there is nothing to delete', async () => {
    const { store } = temporary;
    const { user } = await newUserAndRoom(store);
    for (let more = 0; more < 5; more++) await newUserAndRoom(store);
    const person = { actorId: null, userId: user.id, reason: '' };
    for (const suspended of [true, false, true, false])
      await store.setSuspended({ ...person, suspended, now: NOW });
    const { run } = keepLess(30, async () => {
      time += 4 * MINUTE;
      expect(await otherTakesTurn()).toBe(false);
    });
    await run();
    const rows = await store.audit({ viewerId: null, scope: { of: 'all' }, limit: 9, now: time });
    expect(rows?.map(({ action }) => action)).toEqual(['audit_pruned']);
    expect(await otherTakesTurn()).toBe(false);
  });

  it('is not begun a second time while it runs', async () => {
    const { store } = temporary;
    const { user, room } = await newUserAndRoom(store);
    await say(store, { roomId: room.id, userId: user.id }, texts(3));
    const reads: number[] = [];
    const kept = keepLess(30, async ({ roomId }) => {
      reads.push(roomId);
      time += 20 * MINUTE;
      if (reads.length === 1) await kept.run();
    });
    await kept.run();
    expect(reads).toEqual([room.id]);
    expect(kept.events).toHaveLength(3);
  });

  it('reads no history again from which nothing is to be deleted; cids go 90 days after the text was posted', async () => {
    const { store } = temporary;
    const { user, room } = await newUserAndRoom(store);
    const at = { roomId: room.id, userId: user.id };
    const text = { ...at, content: 'text', cid: 'one' };
    const first = await store.append({ ...text, now: NOW });
    assert(first.outcome === 'stored');
    time = NOW + 31 * DAY;
    const reads: number[] = [];
    const { run, events } = keepLess(30, async ({ afterSeq }) => void reads.push(afterSeq));
    await run();
    expect(events).toMatchObject([{ type: 'message', message: { id: first.id, content: '' } }]);
    expect((await store.append({ ...text, now: time })).outcome).toBe('duplicate');
    time = NOW + 91 * DAY;
    await run();
    const again = await store.append({ ...text, now: time });
    assert(again.outcome === 'stored');
    time += 32 * DAY;
    await run();
    time += 90 * DAY;
    await run();
    expect(reads).toEqual([0, 0, first.seq, first.seq]);
    expect(events).toHaveLength(2);
  });
});
