/** Moves through a room as a reader does. It does not depend on how the timeline is built. */
import type { Page } from 'playwright-core';
import type { ClientBench } from './measure.ts';
import type { Place } from './stage.ts';
import { BIG_ROOM } from './world.ts';

/** Reading back is done in steps of this length, so that progress can be reported. */
const STEP_MS = 10_000;

/** Enters the big room and scrolls back until all of it is loaded, or time is up. Returns the number of messages. */
export async function loadEverything(bench: ClientBench): Promise<{ place: Place; loaded: number }> {
  const place = await bench.stage.enter(BIG_ROOM);
  const { page } = place.person;
  await place.person.messages.last().waitFor();
  const newest = await newestSeq(page);
  const until = performance.now() + bench.options.loadSeconds * 1000;
  let oldest = newest;
  let before = 0;
  while (oldest > 1 && oldest !== before && performance.now() < until) {
    before = oldest;
    oldest = await page.evaluate(readBack, STEP_MS);
    bench.progress(`${newest - oldest + 1} messages loaded`);
  }
  return { place, loaded: newest - oldest + 1 };
}

export async function goToEnd(page: Page): Promise<void> {
  const toEnd = page.getByTestId('to-end');
  if (await toEnd.isVisible()) await toEnd.click();
  await toEnd.waitFor({ state: 'detached' });
  // The work of loading must not count in the next measure.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/** The highest seq of the messages in the document. */
export async function newestSeq(page: Page): Promise<number> {
  const last = page.getByTestId('message').last();
  return Number(await last.getAttribute('data-seq'));
}

/** Runs in the page. Scrolls to the top repeatedly for a while; returns the seq of the oldest message seen. */
async function readBack(forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let oldest = Number.POSITIVE_INFINITY;
  while (oldest > 1 && performance.now() < until) {
    const box = document.querySelector('[role=log]');
    if (box === null) throw new Error('no room is open');
    box.scrollTop = 0;
    const load = [...box.querySelectorAll('button')].find((button) => button.textContent?.includes('older'));
    if (load !== undefined && load.ariaDisabled !== 'true') load.click();
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const first = box.querySelector<HTMLElement>('[data-testid=message]');
    oldest = Math.min(oldest, Number(first?.dataset.seq ?? oldest));
  }
  return oldest;
}
