import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const run = promisify(execFile);
const NICENESS = JSON.stringify(new URL('./niceness.js', import.meta.url).href);

/** What a process that does this prints, as JSON. `threads()` has the niceness and the CPU time of each thread. */
async function inProcess(script: string, options: readonly string[] = [], command: readonly string[] = []) {
  const preparation = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { letHelpersGiveWay, workInBackground } from ${NICENESS};
    const threads = () => readdirSync('/proc/self/task').map((id) => {
      const of = (name) => readFileSync('/proc/self/task/' + id + '/' + name, 'utf8');
      const nice = Number(of('stat').split(') ')[1].split(' ')[16]);
      return { id: Number(id), nice, cpuMs: Number(of('schedstat').split(' ')[0]) / 1e6 };
    });
    const print = (value) => console.log(JSON.stringify(value));
  `;
  const node = [process.execPath, ...options, '--input-type=module', '--eval', preparation + script];
  const [program = '', ...args] = [...command, ...node];
  const { stdout, stderr } = await run(program, args);
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  test('the four threads that give way are those that collect garbage and compile', async () => {
    const script = `
      letHelpersGiveWay();
      const before = new Map(threads().map(({ id, cpuMs }) => [id, cpuMs]));
      // Old objects, for which V8 marks beside the program.
      const kept = [];
      for (let index = 0; index < 3_000_000; index++) kept.push({ index, text: 'text ' + index });
      const after = threads().filter(({ id }) => id !== process.pid);
      print(after.map(({ id, nice, cpuMs }) => ({ nice, cpuMs: cpuMs - (before.get(id) ?? 0) })));
    `;
    const others: { nice: number; cpuMs: number }[] = await inProcess(script);
    const sum = (nice: number) =>
      others.filter((one) => one.nice === nice).reduce((total, { cpuMs }) => total + cpuMs, 0);
    expect(others.filter(({ nice }) => nice === 5)).toHaveLength(4);
    expect(sum(5)).toBeGreaterThan(10);
    expect(sum(0)).toBeLessThan(sum(5) / 10);
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
    expect(await inProcess(script)).toEqual({ main: 0, last: 0 });
  });

  test.each([['--v8-pool-size=1'], ['--single-threaded']])('with %s no thread gives way', async (option) => {
    const script = 'letHelpersGiveWay(); print(threads().map(({ nice }) => nice).filter(Boolean));';
    expect(await inProcess(script, [option])).toEqual([]);
  });

  test.each([
    [5, 15],
    [15, 19],
  ])('in a process of niceness %i, work in the background has %i', async (nice, expected) => {
    const script = 'workInBackground(); print(threads().find(({ id }) => id === process.pid).nice)';
    expect(await inProcess(script, [], ['nice', '-n', String(nice)])).toBe(expected);
  });
});
