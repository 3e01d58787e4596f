/** Runs child processes on chosen cores, and reads what they use. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, which are 100 on every current Linux. */
const TICKS_PER_SECOND = 100;

const children = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Whether processes can be pinned to a core here. */
export const canPin = spawnSync('taskset', ['--version']).status === 0;

/** Runs a Node script (see `spawnPinned`). */
export function spawnNode(cores: string | null, args: string[], options: SpawnOptions): ChildProcess {
  return spawnPinned(cores, process.execPath, args, options);
}

/** Runs a program on `cores`, in the form of taskset ("0", "1-3"); null when the system chooses. */
export function spawnPinned(
  cores: string | null,
  program: string,
  args: string[],
  options: SpawnOptions,
): ChildProcess {
  const isPinned = cores !== null && canPin;
  const child = isPinned
    ? spawn('taskset', ['-c', cores, program, ...args], options)
    : spawn(program, args, options);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Pins all threads of this process, and the processes that it starts later, to `cores`. */
export function pinSelf(cores: string): void {
  spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, String(process.pid)]);
}

/** Asks the process to end, and waits until it has ended. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** The CPU time of all threads of a process so far, in seconds; NaN when the system does not report it. */
export function cpuSecondsOf(pid: number): number {
  const fields = readProc(pid, 'stat')
    ?.replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields?.[11]) + Number(fields?.[12])) / TICKS_PER_SECOND;
}

/**
 * How long the main thread of a process has been ready to run so far and had no core, in seconds: other threads had it,
 * of this process or of others. NaN when the system does not report it.
 */
export function coreWaitSecondsOf(pid: number): number {
  return Number(readProc(pid, 'schedstat')?.split(' ')[1]) / 1e9;
}

/** Calls of the system so far, of all threads of a process; NaN when the system does not report it. */
export function ioCallsOf(pid: number): { reads: number; writes: number } {
  const text = readProc(pid, 'io') ?? '';
  const countOf = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  return { reads: countOf('syscr'), writes: countOf('syscw') };
}

/** The CPU time so far of a process and of all processes that come from it, in seconds. */
export function cpuSecondsOfTree(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readProc(Number(name), 'stat') ?? '')?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  let seconds = 0;
  for (const pid of parents.keys()) {
    for (let at: number | undefined = pid; at !== undefined; at = parents.get(at)) {
      if (at !== root) continue;
      const own = cpuSecondsOf(pid);
      // A process may end meanwhile.
      if (Number.isFinite(own)) seconds += own;
      break;
    }
  }
  return seconds;
}

/** The resident memory of a process in bytes; NaN when the system does not report it. */
export function residentBytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status') ?? '')?.[1]) * 1024;
}

/** The limit on files, sockets included, that one process may have open. */
export function openFilesLimit(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readProc('self', 'limits') ?? '')?.[1];
  return limit === undefined ? 1024 : Number(limit);
}

function readProc(pid: number | 'self', file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
