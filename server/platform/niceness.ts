/** Which threads go first where there are fewer cores than work. On Linux each thread has a niceness of its own. */
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Nobody waits for it. Beside a thread that does not give way, it gets a tenth of a core. */
const BACKGROUND = 10;
/** A quarter of a core: with a tenth, floods leave more garbage than the helpers collect. */
const HELPER = 5;
const NICEST = 19;
/** V8's helpers, unless an option of Node says otherwise. */
const HELPERS = 4;

/** Lets the calling thread go behind all that people wait for. */
export function workInBackground(): void {
  giveWay(BACKGROUND, 0);
}

/**
 * Lets V8's helpers go behind all that people wait for. They mark old objects, collect new ones and compile, for all
 * threads of the process. Decision 0128 has the figures. To be called once, at the start of the process.
 */
export function letHelpersGiveWay(): void {
  for (const threadId of helperThreads()) giveWay(HELPER, threadId);
}

/**
 * The ids of V8's helpers. In Node 20 threads have no names, but their order is always the same: the main thread, the
 * one that keeps V8's delayed tasks, the helpers, and later all others. None where another number of helpers was
 * requested, or where there is no list of threads.
 */
function helperThreads(): number[] {
  if (process.platform !== 'linux') return [];
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  if (/v8[-_]pool[-_]size|single[-_]threaded/.test(options)) return [];
  try {
    const ids = readdirSync('/proc/self/task').map(Number);
    // After the largest id the kernel goes on with the lowest one, so a later thread may have a lower id.
    const later = ids.filter((id) => id > process.pid).sort((one, other) => one - other);
    const anew = ids.filter((id) => id < process.pid).sort((one, other) => one - other);
    return [...later, ...anew].slice(1, 1 + HELPERS);
  } catch {
    return [];
  }
}

/**
 * Adds to the niceness of a thread; 0 is the calling one. Where the system does not allow it, the thread stays as it is.
 * So it does elsewhere than on Linux, where it would be the whole process.
 */
function giveWay(step: number, threadId: number): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(threadId, Math.min(NICEST, getPriority(threadId) + step));
  } catch {
    // A sandbox may forbid it. All else works without it.
  }
}
