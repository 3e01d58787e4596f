/** Measures a page's frames and tasks during an action. */
import type { Page } from 'playwright-core';
import { percentile } from '../statistics.ts';
import { longestTask } from './trace.ts';

export interface Smoothness {
  /** The times between frames, in milliseconds. */
  readonly frames: readonly number[];
  /** The tasks of 50 ms and more, in milliseconds; the browser does not report shorter ones. */
  readonly longTasks: readonly number[];
  /** The processor time of the page's longest task, which does not depend on other work of the machine. */
  readonly longestTaskCpuMs: number;
  /** The most messages that the document had. */
  readonly maxMessages: number;
  readonly seconds: number;
}

interface Recorder {
  readonly frames: number[];
  readonly longTasks: number[];
  maxMessages: number;
  isOn: boolean;
}

declare global {
  interface Window {
    benchRecorder?: Recorder;
  }
}

const COUNT_EVERY_MS = 200;

/** Runs `action`, and records from before it until after it. */
export async function recordFrames(page: Page, action: () => Promise<void>): Promise<Smoothness> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('the page has no browser of its own');
  await browser.startTracing(page, { categories: ['toplevel'] });
  await page.evaluate(record, COUNT_EVERY_MS);
  const from = performance.now();
  await action();
  const seconds = (performance.now() - from) / 1000;
  const { frames, longTasks, maxMessages } = await page.evaluate(stop);
  const longestTaskCpuMs = longestTask(await browser.stopTracing());
  return { frames, longTasks, longestTaskCpuMs, maxMessages, seconds };
}

/** Runs in the page. */
function record(countEveryMs: number): void {
  const recorder: Recorder = { frames: [], longTasks: [], maxMessages: 0, isOn: true };
  window.benchRecorder = recorder;
  const tasks = new PerformanceObserver((list) => {
    if (recorder.isOn) recorder.longTasks.push(...list.getEntries().map(({ duration }) => duration));
  });
  tasks.observe({ type: 'longtask' });
  const messages = document.getElementsByTagName('li');
  let last: number | undefined;
  let counted = 0;
  const onFrame = (at: number) => {
    if (!recorder.isOn) return tasks.disconnect();
    if (last !== undefined) recorder.frames.push(at - last);
    last = at;
    if (at - counted > countEveryMs) {
      counted = at;
      const shown = [...messages].filter(({ dataset }) => dataset.testid === 'message').length;
      recorder.maxMessages = Math.max(recorder.maxMessages, shown);
    }
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
}

/** Runs in the page. Long tasks are reported a moment after they end. */
async function stop(): Promise<Recorder> {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const recorder = window.benchRecorder;
  if (recorder === undefined) throw new Error('nothing was recorded');
  recorder.isOn = false;
  return recorder;
}

export function longest(values: readonly number[]): number {
  return values.reduce((max, value) => Math.max(max, value), 0);
}

/** "longest 34 ms, p99 17 ms, 60/s". */
export function describeFrames({ frames, seconds }: Smoothness): string {
  const p99 = percentile([...frames], 0.99);
  const perSecond = frames.length / seconds;
  return `longest ${longest(frames).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${perSecond.toFixed(0)}/s`;
}

/** "longest task 31 ms of processor time; 2 of 50 ms or more of elapsed time, the longest 64 ms". */
export function describeTasks({ longTasks, longestTaskCpuMs }: Smoothness): string {
  const cpu = `longest task ${longestTaskCpuMs.toFixed(0)} ms of processor time`;
  if (longTasks.length === 0) return `${cpu}, none of 50 ms of elapsed time`;
  const longestMs = longest(longTasks).toFixed(0);
  return `${cpu}; ${longTasks.length} of 50 ms or more of elapsed time, the longest ${longestMs} ms`;
}
