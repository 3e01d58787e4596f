import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Peers } from './peers.ts';

const MIB = 1024 * 1024;

test('what an unknown process says is held back, and taken in its order once our database shows the process', async () => {
  const ours: string[] = [];
  const peers = new Peers({ findWriters: async (ids) => ids.filter((id) => ours.includes(id)) });
  const taken: number[] = [];
  for (let n = 0; n < 5; n++) peers.hear('new', () => taken.push(n));
  expect(taken).toEqual([]);
  ours.push('new');
  while (taken.length < 5) await sleep(20);
  peers.hear('new', () => taken.push(5));
  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
  peers.stop();
});

test('all unknown processes together have 16 MiB: what goes beyond is dropped, and the space is given back', async () => {
  const ours: string[] = [];
  const peers = new Peers({ findWriters: async (ids) => ids.filter((id) => ours.includes(id)) });
  const taken: string[] = [];
  const say = (id: string, count: number) => {
    for (let n = 0; n < count; n++) peers.hear(id, () => taken.push(id), { bytes: MIB });
  };
  say('one', 10);
  say('two', 10);
  ours.push('one', 'two');
  while (taken.length < 16) await sleep(20);
  expect(taken.filter((id) => id === 'two')).toHaveLength(6);
  say('three', 16);
  ours.push('three');
  while (taken.length < 32) await sleep(20);
  peers.stop();
});

test('a process that has stopped is believed by the time that it left, and a stop waits a second at most for that time', async () => {
  const rows = new Map([['left', 7]]);
  const findWriters = async (ids: readonly string[], leftAt?: ReadonlyMap<string, number>) =>
    ids.filter((id) => (rows.get(id) ?? 0) >= (leftAt?.get(id) ?? Number.POSITIVE_INFINITY));
  const peers = new Peers({ findWriters, touch: () => new Promise(() => undefined) });
  expect(await peers.among(['left', 'later'])).toEqual([]);
  const leftAt = new Map([
    ['left', 7],
    ['later', 8],
  ]);
  expect(await peers.among(['left', 'later'], leftAt)).toEqual(['left']);
  expect(await peers.leave()).toBeUndefined();
});
