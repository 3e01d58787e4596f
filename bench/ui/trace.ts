/** Reads a page's tasks from Chromium's trace. */
import { z } from 'zod';

/** `tdur`: microseconds of processor time, as opposed to the clock's. */
const event = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  tdur: z.number().optional(),
  args: z.object({ name: z.string().optional() }).optional(),
});
const trace = z.object({ traceEvents: z.array(event) });

/** The longest task of the busiest page, in milliseconds of processor time. */
export function longestTask(written: Buffer): number {
  return busiestPage(written).reduce((max, value) => Math.max(max, value), 0);
}

/** The processor time of all tasks of the busiest page, in milliseconds. */
export function mainThreadMs(written: Buffer): number {
  return sum(busiestPage(written));
}

function busiestPage(written: Buffer): readonly number[] {
  const { traceEvents } = trace.parse(JSON.parse(written.toString()));
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  );
  const pages = mains.map((main) => {
    const ofPage = traceEvents.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
    return ofPage.filter(({ name }) => name.endsWith('RunTask')).map(({ tdur = 0 }) => tdur / 1000);
  });
  return pages.toSorted((a, b) => sum(b) - sum(a))[0] ?? [];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
