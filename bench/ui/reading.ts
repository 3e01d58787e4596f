/** Typing and scrolling in a room with a very long history, and switching between rooms. */
import { count } from '../table.ts';
import { describeFrames, describeTasks, recordFrames, type Smoothness } from './frames.ts';
import { type ClientBench, type Finding, profiled } from './measure.ts';
import { goToEnd } from './reader.ts';
import type { Place } from './stage.ts';
import { BIG_ROOM } from './world.ts';

const TARGET_FRAME_MS = 50;
const FRAMES_PER_SECOND = 60;
const KEY_EVERY_MS = 35;
const SENTENCE = 'The quick brown fox writes a message that is neither short nor long. ';
const SCROLL_MS = 10_000;
const ROUNDS_OF_ROOMS = 5;

export interface Loaded {
  readonly place: Place;
  readonly loaded: number;
}

export async function measureTyping(bench: ClientBench, { place, loaded }: Loaded): Promise<Finding[]> {
  const { page, composer } = place.person;
  bench.progress('typing');
  await goToEnd(page);
  await composer.focus();
  const smooth = await profiled(bench, place.devtools, 'typing', () =>
    recordFrames(page, async () => {
      for (let line = 0; line < 4; line++) {
        await page.keyboard.type(SENTENCE, { delay: KEY_EVERY_MS });
        await page.keyboard.press('Shift+Enter');
      }
    }),
  );
  await composer.fill('');
  return [frameFinding(`typing, ${count(loaded)} messages loaded`, smooth)];
}

/** Scrolls back and forth through everything that is loaded, a large step at every frame. */
export async function measureScrolling(bench: ClientBench, { place, loaded }: Loaded): Promise<Finding[]> {
  const { page } = place.person;
  bench.progress('scrolling');
  await goToEnd(page);
  const smooth = await profiled(bench, place.devtools, 'scrolling', () =>
    recordFrames(page, () => page.evaluate(scroll, SCROLL_MS)),
  );
  return [
    {
      what: `scrolling, ${count(loaded)} messages loaded`,
      figure:
        `${describeTasks(smooth)}; frames: ${describeFrames(smooth)}; ` +
        `${smooth.maxMessages} messages in the document`,
      target: `${FRAMES_PER_SECOND}/s, ≤ 300 messages`,
      isMet: smooth.longestTaskCpuMs <= 1000 / FRAMES_PER_SECOND && smooth.maxMessages <= 300,
    },
  ];
}

export async function measureSwitching(bench: ClientBench, { place, loaded }: Loaded): Promise<Finding[]> {
  const { person, devtools } = place;
  bench.progress('switching rooms');
  const rooms = [BIG_ROOM, ...bench.stage.world.rooms.slice(-6, -1).map(({ name }) => name)];
  // The list of unread rooms is folded.
  await person.page.getByRole('button', { name: /^\d+ more$/ }).click();
  const smooth = await profiled(bench, devtools, 'switching', () =>
    recordFrames(person.page, async () => {
      for (let round = 0; round < ROUNDS_OF_ROOMS; round++) {
        for (const room of rooms.toReversed()) {
          await person.roomRow(room).click();
          await person.page.getByRole('heading', { level: 1, name: room, exact: true }).waitFor();
          await person.messages.last().waitFor();
        }
      }
    }),
  );
  const times = rooms.length * ROUNDS_OF_ROOMS;
  return [frameFinding(`switching rooms ${times} times, ${count(loaded)} messages loaded before`, smooth)];
}

function frameFinding(what: string, smooth: Smoothness): Finding {
  return {
    what,
    figure: `${describeTasks(smooth)}; frames: ${describeFrames(smooth)}`,
    target: `each frame < ${TARGET_FRAME_MS} ms`,
    isMet: smooth.longestTaskCpuMs < TARGET_FRAME_MS,
  };
}

/** Runs in the page. */
async function scroll(forMs: number): Promise<void> {
  const box = document.querySelector('[role=log]');
  if (box === null) throw new Error('no room is open');
  const until = performance.now() + forMs;
  let step = -240;
  while (performance.now() < until) {
    box.scrollTop += step;
    if (box.scrollTop <= 0) step = 240;
    else if (box.scrollTop + box.clientHeight >= box.scrollHeight - 1) step = -240;
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}
