/** Which threads go first where there are fewer cores than work. On Linux each thread has a niceness of its own. */
import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Beside a thread that does not give way, one that does gets a tenth of a core. */
const STEP = 10;
const NICEST = 19;
/** V8's helpers, unless an option of Node says otherwise. */
const HELPERS = 4;

/**
 * Lets the calling thread, or the one with this id, go behind the others of the process. Where the system does not allow
 * it, and elsewhere than on Linux, the thread stays as it is: elsewhere it would be the whole process.
 */
export function giveWay(threadId = 0): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(threadId, Math.min(NICEST, getPriority(threadId) + STEP));
  } catch {
    // A sandbox may forbid it. All else works without it.
  }
}

/**
 * Lets V8's helpers go behind all that people wait for. They mark old objects, collect new ones and compile, for all
 * threads of the process. Decision 0128 has the figures. To be called once, at the start of the process.
 */
export function letHelpersGiveWay(): void {
  for (const threadId of helperThreads()) giveWay(threadId);
}

/**
 * The ids of V8's helpers. In Node 20 threads have no names, but their order is always the same: the main thread, the
 * one that keeps V8's delayed tasks, the helpers, and later all others. None where another number of helpers was
 * requested, or where there is no list of threads.
 */
export function helperThreads(): number[] {
  if (process.platform !== 'linux') return [];
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  if (/v8[-_]pool[-_]size|single[-_]threaded/.test(options)) return [];
  try {
    const ids = readdirSync('/proc/self/task').map(Number);
    // Where the ids have begun anew at the lowest one, the threads after that have lower ids than the process.
    const later = ids.filter((id) => id > process.pid).sort((one, other) => one - other);
    const anew = ids.filter((id) => id < process.pid).sort((one, other) => one - other);
    return [...later, ...anew].slice(1, 1 + HELPERS);
  } catch {
    return [];
  }
}
