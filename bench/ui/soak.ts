/** Memory over a simulated long day: a busy room, switches between rooms, drafts that are begun. */
import type { CDPSession } from 'playwright-core';
import { median } from '../statistics.ts';
import { Crowd } from './crowd.ts';
import { type ClientBench, type Finding, profiled } from './measure.ts';
import { BIG_ROOM } from './world.ts';

const PER_SECOND = 5;
const ROUND_S = 10;
/** At the beginning, caches fill and code is compiled, so this share of the time does not count. */
const WARM_UP_SHARE = 0.2;
/** The difference that a heap that does not grow may have. */
const TARGET_MB = 3;

export async function measureSoak(bench: ClientBench): Promise<Finding[]> {
  const { person, devtools, close } = await bench.stage.enter(BIG_ROOM);
  const crowd = await Crowd.enter(bench.stage, BIG_ROOM);
  const others = bench.stage.world.rooms.slice(-6, -1).map(({ name }) => name);
  const minutes = bench.options.soakMinutes;
  const rounds = Math.max(5, Math.round((minutes * 60) / ROUND_S));
  const heaps: number[] = [];
  await profiled(bench, devtools, 'soak', async () => {
    for (let round = 0; round < rounds; round++) {
      const talk = crowd.talk(PER_SECOND, ROUND_S);
      await person.composer.pressSequentially('A draft that is never sent.', { delay: 50 });
      await person.composer.fill('');
      await person.openRoom(others[round % others.length] ?? BIG_ROOM);
      await person.messages.last().waitFor();
      await person.openRoom(BIG_ROOM);
      await talk;
      heaps.push(await heapMb(devtools));
      bench.progress(
        `soak: ${(((round + 1) * ROUND_S) / 60).toFixed(1)} min, ${heaps.at(-1)?.toFixed(1)} MB`,
      );
    }
  });
  crowd.close();
  await close();
  const steady = heaps.slice(Math.floor(heaps.length * WARM_UP_SHARE));
  const tenth = Math.max(1, Math.floor(steady.length / 10));
  const [first, last] = [median(steady.slice(0, tenth)), median(steady.slice(-tenth))];
  return [
    {
      what: `heap over ${minutes} minutes, ${PER_SECOND} messages/s, a room change every ${ROUND_S / 2} s`,
      figure: `${first.toFixed(1)} → ${last.toFixed(1)} MB, most ${Math.max(...steady).toFixed(1)} MB`,
      target: 'flat',
      isMet: last - first < TARGET_MB,
    },
  ];
}

/** The size of the heap after a garbage collection. */
async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}
