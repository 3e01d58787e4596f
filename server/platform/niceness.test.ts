import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
/** The tests themselves may run with a niceness. */
const OWN = getPriority();
const NICEST = 19;
const HELPERS = Math.min(NICEST, OWN + 5);
const NICENESS = JSON.stringify(new URL('./niceness.js', import.meta.url).href);

/** What a process that does this prints, as JSON. `threads()` has each thread's niceness and CPU time, in ticks. */
async function inProcess(script: string, options: readonly string[] = [], command: readonly string[] = []) {
  const preparation = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { letHelpersGiveWay, workInBackground } from ${NICENESS};
    const threads = () => readdirSync('/proc/self/task').map((id) => {
      // proc(5): after the name in brackets come the fields from 3 on; 14 and 15 are the CPU time, 19 is the niceness.
      const fields = readFileSync('/proc/self/task/' + id + '/stat', 'utf8').split(') ')[1].split(' ').map(Number);
      return { id: Number(id), nice: fields[16], cpu: fields[11] + fields[12] };
    });
    const print = (value) => console.log(JSON.stringify(value));
  `;
  const node = [process.execPath, ...options, '--input-type=module', '--eval', preparation + script];
  const [program = '', ...args] = [...command, ...node];
  const { stdout, stderr } = await run(program, args);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const whyNot =
  process.platform !== 'linux'
    ? 'skipped: only Linux has a niceness for each thread'
    : OWN === NICEST
      ? 'skipped: the tests already run with the largest niceness, 19'
      : undefined;
if (whyNot !== undefined) console.info(whyNot);

describe.skipIf(whyNot !== undefined)('on Linux', () => {
  test('the four threads that give way are those that collect garbage and compile', async () => {
    const script = `
      letHelpersGiveWay();
      const before = new Map(threads().map(({ id, cpu }) => [id, cpu]));
      // Old objects, for which V8 marks beside the program.
      const kept = [];
      for (let index = 0; index < 3_000_000; index++) kept.push({ index, text: 'text ' + index });
      const after = threads().filter(({ id }) => id !== process.pid);
      print(after.map(({ id, nice, cpu }) => ({ nice, cpu: cpu - (before.get(id) ?? 0) })));
    `;
    const others: { nice: number; cpu: number }[] = await inProcess(script);
    const sum = (nice: number) =>
      others.filter((one) => one.nice === nice).reduce((total, { cpu }) => total + cpu, 0);
    expect(others.filter(({ nice }) => nice === HELPERS)).toHaveLength(4);
    expect(sum(HELPERS)).toBeGreaterThan(sum(OWN));
  });

  test('the main thread does not give way, and neither do threads that it starts later', async () => {
    const script = `
      import { Worker } from 'node:worker_threads';
      letHelpersGiveWay();
      const code = 'import { parentPort } from "node:worker_threads"; parentPort.on("message", () => 0).postMessage(0)';
      const worker = new Worker(new URL('data:text/javascript,' + code));
      await new Promise((resolve) => worker.once('message', resolve));
      print({ main: threads().find(({ id }) => id === process.pid).nice, last: threads().at(-1).nice });
      process.exit();
    `;
    expect(await inProcess(script)).toEqual({ main: OWN, last: OWN });
  });

  test.each([['--v8-pool-size=1'], ['--single-threaded']])('with %s no thread gives way', async (option) => {
    const script = 'letHelpersGiveWay(); print(threads().map(({ nice }) => nice));';
    expect(new Set(await inProcess(script, [option]))).toEqual(new Set([OWN]));
  });

  test.each([
    [5, 15],
    [15, 19],
  ])('in a process of niceness %i, work in the background has %i', async (nice, expected) => {
    const script = 'workInBackground(); print(threads().find(({ id }) => id === process.pid).nice)';
    expect(await inProcess(script, [], ['nice', '-n', String(nice)])).toBe(Math.min(NICEST, OWN + expected));
  });
});
