/** Runs `pg_dump`, `pg_restore` and `psql`, which come with PostgreSQL. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { DatabaseAddress } from '../../platform/database-address.ts';
import { UnusableDatabaseError } from '../../platform/unusable-database.ts';

type Program = 'pg_dump' | 'pg_restore' | 'psql';

/** What a program said last is enough to explain its failure. */
const COMPLAINT_MAX = 2000;

export interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Rejects with `UnusableDatabaseError` unless the program ends with 0. */
  readonly ended: Promise<void>;
}

/** Starts a program; without an address it connects to nothing. The password is not among its arguments. */
export function start(program: Program, args: readonly string[], address?: DatabaseAddress): Running {
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...(address && settingsOf(address)) },
  });
  child.stdin.on('error', () => undefined);
  return { child, ended: end(program, child) };
}

/** Runs a program that reads and says nothing. */
export async function run(
  program: Program,
  args: readonly string[],
  address?: DatabaseAddress,
): Promise<void> {
  const { child, ended } = start(program, args, address);
  child.stdin.end();
  child.stdout.resume();
  await ended;
}

async function end(program: Program, child: Running['child']): Promise<void> {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-COMPLAINT_MAX);
  });
  // `close` follows an error, too.
  let missing = false;
  child.on('error', (error: NodeJS.ErrnoException) => {
    missing = error.code === 'ENOENT';
    complaint += error.message;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (missing)
    throw new UnusableDatabaseError(
      `${program} is not installed. It comes with PostgreSQL's programs for clients (Debian: postgresql-client), ` +
        'which must not be older than the server.',
    );
  if (code !== 0)
    throw new UnusableDatabaseError(
      `${program} could not do it (exit code ${code}). It said: ${complaint.trim()}`,
    );
}

/** The variables of libpq, https://www.postgresql.org/docs/15/libpq-envars.html. */
function settingsOf({ hosts, user, password, database, ssl }: DatabaseAddress): Record<string, string> {
  return {
    PGHOST: hosts.map(({ host }) => host).join(','),
    PGPORT: hosts.map(({ port }) => port).join(','),
    PGTARGETSESSIONATTRS: 'read-write',
    PGUSER: user,
    PGDATABASE: database,
    PGSSLMODE: ssl,
    PGAPPNAME: 'roomful',
    ...(password !== undefined && { PGPASSWORD: password }),
  };
}
