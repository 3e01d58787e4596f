/** The installed programs of PostgreSQL, and how they are run: it refuses to run as root. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BINARIES = '/usr/lib/postgresql';
const IS_ROOT = process.getuid?.() === 0;

/**
 * A pid namespace, so that PostgreSQL's children, which leave its process group, end with it. Its first process is a
 * shell that keeps its user: a process that changes it is no longer ended with its parent.
 */
export const NAMESPACE = [
  ...(IS_ROOT ? [] : ['--user', '--map-current-user']),
  ...['--pid', '--fork', '--kill-child', 'sh', '-c', '"$@" & wait', 'sh'],
];

/** A program with its arguments, as a user that PostgreSQL accepts. */
export function commandOf(program: string, args: string[]): [string, string[]] {
  const file = join(newestBinaries() ?? '', program);
  if (!IS_ROOT) return [file, args];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', file, ...args]];
}

/** Gives a folder to that user. */
export function asPostgres(dir: string): void {
  chmodSync(dir, 0o700);
  if (IS_ROOT) execFileSync('chown', ['postgres', dir]);
}

/** Why no server can be started here. */
export function whyNoBinaries(): string | undefined {
  if (process.platform !== 'linux') return 'a PostgreSQL for tests is started on Linux only';
  if (newestBinaries() === undefined) return 'PostgreSQL is not installed';
  if (IS_ROOT && spawnSync('id', ['postgres']).status !== 0) return 'there is no user postgres';
  return undefined;
}

function newestBinaries(): string | undefined {
  if (!existsSync(BINARIES)) return undefined;
  const versions = readdirSync(BINARIES).filter((version) =>
    existsSync(join(BINARIES, version, 'bin/postgres')),
  );
  const newest = versions.sort((one, other) => Number(other) - Number(one))[0];
  return newest === undefined ? undefined : join(BINARIES, newest, 'bin');
}
