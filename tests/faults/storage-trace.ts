/** Making system calls fail, with strace: what a dying disk does, on a healthy one. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export interface Fault {
  /** The only file whose calls fail. */
  file: string;
  call: 'fsync' | 'pwrite64';
  error: 'EIO' | 'ENOSPC';
  /** Which of the calls on that file, counted by thread from 1: strace's `first`, `first..last` or `first+`. */
  when: string;
}

/** The command, with its arguments, that runs another one with these faults; `log` gets a line for each call. */
export function tracer({ file, call, error, when }: Fault, log: string): string[] {
  return [
    ...['strace', '--follow-forks', '--seccomp-bpf', '--quiet=all', `--output=${log}`],
    ...[`--trace-path=${file}`, `--trace=${call}`, `--inject=${call}:error=${error}:when=${when}`],
  ];
}

/** Why calls cannot be made to fail here, or undefined when they can. */
export function whyNoTracing(): string | undefined {
  const { error, status, stderr } = spawnSync('strace', ['--quiet=all', '--output=/dev/null', 'true'], {
    encoding: 'utf8',
  });
  if (error) return `strace is not installed (${error.message})`;
  return status === 0 ? undefined : `strace may not trace here (${stderr.trim()})`;
}

/** Lets calls of a process that runs already fail, from now on until it ends; resolves when it is attached. */
export async function attach(pid: number, { file, call, error, when }: Fault): Promise<void> {
  const child = spawn(
    'strace',
    [
      ...['--follow-forks', `--attach=${pid}`, '--output=/dev/null'],
      ...[`--trace-path=${file}`, `--trace=${call}`, `--inject=${call}:error=${error}:when=${when}`],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  const attached = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/Process \d+ attached/.test(said)) resolve();
    });
  });
  const ended = once(child, 'close').then(() => {
    throw new Error(`strace ended: ${said}`);
  });
  ended.catch(() => undefined);
  await Promise.race([attached, ended]);
}
