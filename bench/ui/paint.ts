/** The first paint, on a processor that is slowed down four times. */
import { median } from '../statistics.ts';
import { longest } from './frames.ts';
import type { ClientBench, Finding } from './measure.ts';
import { BIG_ROOM } from './world.ts';

const SLOWDOWN = 4;
const TARGET_MS = 1000;

export async function measurePaint(bench: ClientBench): Promise<Finding[]> {
  const { stage } = bench;
  const path = `/rooms/${stage.roomId(BIG_ROOM)}`;
  return [
    await paints(bench, 'signing in', '/', false),
    await paints(bench, 'a room, signed in', path, true),
  ];
}

async function paints(bench: ClientBench, what: string, path: string, isIn: boolean): Promise<Finding> {
  const times: number[] = [];
  for (let round = 0; round < bench.options.rounds; round++) {
    bench.progress(`first paint of ${what}: round ${round + 1}`);
    times.push(await firstPaint(bench, path, isIn));
  }
  return {
    what: `first contentful paint at ${SLOWDOWN}× CPU throttling: ${what}`,
    figure: `${median(times).toFixed(0)} ms, longest ${longest(times).toFixed(0)} ms`,
    target: `≤ ${TARGET_MS} ms`,
    isMet: median(times) <= TARGET_MS,
  };
}

/** Measures one first paint, with an empty cache. The throttling begins before the page is opened. */
async function firstPaint({ stage }: ClientBench, path: string, isIn: boolean): Promise<number> {
  const { person, devtools, close } = await stage.seat({
    path: '/favicon.svg',
    ...(isIn ? { login: stage.me } : {}),
  });
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  await person.page.goto(path);
  const at = await person.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName('first-contentful-paint')) resolve(entry.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
  await close();
  return at;
}
