/** A burst of messages into the open room. */
import { count } from '../table.ts';
import { Crowd } from './crowd.ts';
import { describeFrames, describeTasks, recordFrames } from './frames.ts';
import { type ClientBench, type Finding, profiled } from './measure.ts';
import { goToEnd, newestSeq } from './reader.ts';
import type { Loaded } from './reading.ts';
import { BIG_ROOM } from './world.ts';

const TARGET_TASK_MS = 100;
const TARGET_MESSAGES = 300;
/** A page that cannot keep up is given up after this time. */
const PATIENCE_MS = 120_000;

export async function measureBurst(bench: ClientBench, { place }: Loaded): Promise<Finding[]> {
  const { rate, burstSeconds } = bench.options;
  const { person, devtools } = place;
  await goToEnd(person.page);
  const crowd = await Crowd.enter(bench.stage, BIG_ROOM);
  bench.progress(`a burst of ${rate} messages a second for ${burstSeconds} s`);
  const newest = await newestSeq(person.page);
  let lagMs = 0;
  let said = 0;
  const smooth = await profiled(bench, devtools, 'burst', () =>
    recordFrames(person.page, async () => {
      said = await crowd.talk(rate, burstSeconds);
      const from = performance.now();
      const last = `[data-testid=message][data-seq="${newest + said}"]`;
      await person.page.locator(last).waitFor({ timeout: PATIENCE_MS });
      lagMs = performance.now() - from;
    }),
  );
  crowd.close();
  const what = `${count(said)} messages at ${rate}/s into the open room`;
  return [
    {
      what,
      figure:
        `${describeTasks(smooth)}; frames: ${describeFrames(smooth)}; ` +
        `the last one is shown after ${lagMs.toFixed(0)} ms`,
      target: `no task > ${TARGET_TASK_MS} ms`,
      isMet: smooth.longestTaskCpuMs <= TARGET_TASK_MS,
    },
    {
      what: `messages in the document during the burst`,
      figure: `${smooth.maxMessages}`,
      target: `≤ ${TARGET_MESSAGES}`,
      isMet: smooth.maxMessages <= TARGET_MESSAGES,
    },
  ];
}
