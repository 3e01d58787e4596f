import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** For tests that need /proc: undefined on Linux; elsewhere the reason why they are skipped, which is printed. */
export function whyNoProc(): string | undefined {
  if (process.platform === 'linux') return undefined;
  const reason = 'it needs /proc, which only Linux has';
  console.info(`skipped: ${reason}`);
  return reason;
}

/** The paths of the files that the process has open, without sockets and pipes. */
export async function openFiles(pid: number): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const targets = await Promise.all(
    // A descriptor may be closed between the two calls.
    (await readdir(folder)).map((name) => readlink(join(folder, name)).catch(() => '')),
  );
  return targets.filter((target) => target.startsWith('/'));
}
