/** PgBouncer in front of PostgreSQL: its sessions are not the server's, so Roomful does not start behind it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { whyNotInstalled } from '../support/installed.ts';
import { PostgresServer, whyNoPostgres } from '../support/postgres.ts';
import { ServerProcess, StartError } from '../support/server-process.ts';
import { onDatabase } from './kill-postgres.ts';

/** It would accept them from each client, and drop them. */
const DROPPED = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

describe.skipIf((whyNoPostgres() ?? whyNotInstalled('pgbouncer')) !== undefined)('behind PgBouncer', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await PostgresServer.start();
  });
  afterAll(async () => await postgres?.[Symbol.asyncDispose]());

  test.each([
    ['session', {}],
    ['session', { ignore_startup_parameters: DROPPED }],
    ['transaction', { ignore_startup_parameters: DROPPED }],
  ])('with pool_mode %s and %j the start is refused, and says what to do', async (mode, settings) => {
    const direct = new URL(await postgres.createDatabase());
    await using pooler = await Pooler.start(direct, { pool_mode: mode, ...settings });
    const error = await ServerProcess.start({ env: onDatabase(pooler.url) }).catch((reason) => reason);
    if (!(error instanceof StartError)) throw error;
    expect({ code: error.exit?.code, says: error.stderr }).toEqual({
      code: 2,
      says:
        `The database at ${new URL(pooler.url).host} (database ${direct.pathname.slice(1)}) cannot be used: ` +
        'a connection pool such as PgBouncer responds there, and Roomful needs PostgreSQL itself. ' +
        'Check DATABASE_URL.\n',
    });
  });
});

class Pooler {
  /** Of the database, through the pool. */
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #dir: string;

  private constructor(url: string, child: ChildProcess, dir: string) {
    this.url = url;
    this.#child = child;
    this.#dir = dir;
  }

  static async start(database: URL, settings: Record<string, string>): Promise<Pooler> {
    const dir = mkdtempSync(join(tmpdir(), 'roomful-pooler-'));
    chmodSync(dir, 0o755);
    const port = await freePort();
    const name = database.pathname.slice(1);
    const all = {
      ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
      ...settings,
    };
    const { hostname, port: serverPort, username, password } = database;
    const login = password === '' ? `user=${username}` : `user=${username} password=${password}`;
    const from = `${name} = host=${hostname} port=${serverPort} ${login}`;
    const lines = Object.entries(all).map(([key, value]) => `${key} = ${value}`);
    const file = join(dir, 'pgbouncer.ini');
    writeFileSync(file, `[databases]\n${from}\n[pgbouncer]\n${lines.join('\n')}\n`, { mode: 0o644 });
    // It refuses to run as root.
    const user = process.getuid?.() === 0 ? ['--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
    const args = ['--pdeathsig', 'KILL', ...user, '--', 'pgbouncer', '--quiet', file];
    const child = spawn('setpriv', args, { stdio: 'ignore' });
    const url = new URL(database.href);
    url.port = String(port);
    const pooler = new Pooler(url.href, child, dir);
    await eventually('PgBouncer passes queries on', () =>
      PostgresServer.run('SELECT 1', url.href).catch(() => undefined),
    );
    return pooler;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
    rmSync(this.#dir, { recursive: true });
  }
}
