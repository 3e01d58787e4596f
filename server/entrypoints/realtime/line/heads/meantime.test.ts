import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { MessageRow } from '../../../../data/storage/store.ts';
import { Meantime } from './meantime.ts';

const eventOf = (seq: number) => ({ seq, message: { changedSeq: seq } as MessageRow });

/** A read that ends when the test says so. */
function openRead(meantime: Meantime) {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  const read = meantime.during(() => over);
  return async () => {
    end();
    await read;
  };
}

it('what happens during a read is there when the read has ended, and is forgotten a turn later', async () => {
  const meantime = new Meantime();
  expect(meantime.isOpen).toBe(false);
  const end = openRead(meantime);
  expect(meantime.isOpen).toBe(true);
  meantime.noteEvent(1, eventOf(30));
  meantime.noteLoss(1, 2, 30);
  await end();
  expect(meantime.latestIn(1)).toEqual(eventOf(30));
  expect(meantime.lostAt(1, 2)).toBe(30);
  await nextTurn();
  expect([meantime.latestIn(1), meantime.lostAt(1, 2), meantime.size]).toEqual([undefined, 0, 0]);
  expect(meantime.isOpen).toBe(false);
});

it('reads that always overlap keep only what happened since the oldest of them began', async () => {
  const meantime = new Meantime();
  let endEarlier = openRead(meantime);
  for (let roomId = 1; roomId <= 100; roomId++) {
    const endLater = openRead(meantime);
    meantime.noteEvent(roomId, eventOf(1));
    meantime.noteLoss(roomId, 1, 1);
    await endEarlier();
    await nextTurn();
    expect(meantime.isOpen).toBe(true);
    expect(meantime.latestIn(roomId)).toEqual(eventOf(1));
    expect(meantime.lostAt(roomId, 1)).toBe(1);
    expect(meantime.size).toBeLessThanOrEqual(4);
    endEarlier = endLater;
  }
  await endEarlier();
  await nextTurn();
  expect(meantime.size).toBe(0);
});

it('what happens again during a later read is kept for that one', async () => {
  const meantime = new Meantime();
  const endFirst = openRead(meantime);
  meantime.noteLoss(1, 2, 10);
  const endSecond = openRead(meantime);
  meantime.noteLoss(1, 2, 20);
  await endFirst();
  await nextTurn();
  expect(meantime.lostAt(1, 2)).toBe(20);
  await endSecond();
});

it('of events of several processes the one with the highest number counts, with its row if that has come', async () => {
  const meantime = new Meantime();
  const end = openRead(meantime);
  meantime.noteEvent(1, { seq: 6 });
  meantime.noteEvent(1, eventOf(5));
  expect(meantime.latestIn(1)).toEqual({ seq: 6 });
  meantime.noteEvent(1, eventOf(6));
  meantime.noteEvent(1, { seq: 6 });
  expect(meantime.latestIn(1)).toEqual(eventOf(6));
  await end();
});
