/**
 * A PostgreSQL server for tests, from the installed binaries, in a folder of its own and on a free port. It and all its
 * children end with the process that started it. TEST_DATABASE_URL names one that runs already, and is used instead.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type DatabaseAddress, parseDatabaseAddress } from '../../server/platform/database-address.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { asPostgres, commandOf, NAMESPACE, whyNoBinaries } from './postgres-binaries.ts';

const READY_WITHIN_MS = 60_000;
const USER = 'roomful';

/** Why tests on PostgreSQL are left out, which is printed; in CI they never are. */
export function whyNoPostgres(): string | undefined {
  const reason = process.env.TEST_DATABASE_URL === undefined ? whyNoBinaries() : undefined;
  if (reason === undefined || process.env.CI !== undefined) return undefined;
  console.info(`skipped: ${reason}`);
  return reason;
}

export function addressOf(url: string): DatabaseAddress {
  const address = parseDatabaseAddress(url);
  if (!address) throw new Error(`${url} is no address of a database`);
  return address;
}

export interface PostgresOptions {
  /** Of the server, such as `fsync`. */
  settings?: Record<string, string>;
  /** By default everybody on this machine may log in. */
  password?: string;
  /** An empty folder for its data, which is kept; by default a temporary one. */
  dir?: string;
  /** An empty folder for its write-ahead log, such as another disk. */
  walDir?: string;
  /** More arguments of initdb. */
  initdb?: string[];
}

/** A server of our own: its folder, and how it is started. */
interface Own {
  dir: string;
  isKept?: boolean;
  port: number;
  settings: Record<string, string>;
}

export class PostgresServer {
  /** The address of its own database, `postgres`. */
  readonly url: string;
  readonly #own: Own | undefined;
  #child: ChildProcess | undefined;

  private constructor(url: string, own?: Own) {
    this.url = url;
    this.#own = own;
  }

  /** The one that runs already, or one that all tests of this process share. It is not to be stopped. */
  static async start(): Promise<PostgresServer> {
    const running = process.env.TEST_DATABASE_URL;
    if (running !== undefined) return new PostgresServer(running);
    shared ??= PostgresServer.#startShared();
    return new PostgresServer((await shared).url);
  }

  static async #startShared(): Promise<PostgresServer> {
    // The run of tests removes its scratch folder when all processes have ended.
    const dir = mkdtempSync(join(process.env.TEST_SCRATCH ?? tmpdir(), 'roomful-postgres-'));
    return await PostgresServer.startOwn({ dir });
  }

  /** Always a new one, which may be killed. */
  static async startOwn(options: PostgresOptions = {}): Promise<PostgresServer> {
    const { settings = {}, password, dir = temporaryFolder(), walDir, initdb = [] } = options;
    for (const own of [dir, ...(walDir === undefined ? [] : [walDir])]) asPostgres(own);
    const port = await freePort();
    const login =
      password === undefined ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${dir}/password`];
    if (password !== undefined) writeFileSync(join(dir, 'password'), password, { mode: 0o644 });
    const init = [
      '-D',
      join(dir, 'data'),
      '-U',
      USER,
      ...login,
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      ...(walDir === undefined ? [] : [`--waldir=${join(walDir, 'wal')}`]),
      ...initdb,
    ];
    execFileSync(...commandOf('initdb', init), { cwd: dir, stdio: 'ignore' });
    const user = password === undefined ? USER : `${USER}:${encodeURIComponent(password)}`;
    const server = new PostgresServer(`postgres://${user}@127.0.0.1:${port}/postgres`, {
      dir,
      isKept: options.dir !== undefined,
      port,
      settings,
    });
    await server.restart();
    return server;
  }

  /**
   * A copy that follows this one, under a name that `synchronous_standby_names` may have; at a free port by default.
   */
  async startStandby(name: string, at?: number): Promise<PostgresServer> {
    const dir = temporaryFolder();
    asPostgres(dir);
    const port = at ?? (await freePort());
    const from = `${this.url.replace(/\/[^/]*$/, '/postgres')}?application_name=${name}`;
    const copy = [
      '-D',
      join(dir, 'data'),
      '-d',
      from,
      '-R',
      '-X',
      'stream',
      '--checkpoint=fast',
      '--no-sync',
    ];
    execFileSync(...commandOf('pg_basebackup', copy), { cwd: dir, stdio: 'ignore' });
    const settings = { ...this.#own?.settings };
    const standby = new PostgresServer(this.url.replace(/:\d+\//, `:${port}/`), { dir, port, settings });
    await standby.restart();
    return standby;
  }

  /** Changes a setting of the running server. */
  async set(name: string, value: string): Promise<void> {
    await this.run(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.run('SELECT pg_reload_conf()');
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends the server and all its children at once, as a power cut would. */
  async kill(): Promise<void> {
    if (!this.#child || !this.isRunning) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await closed;
  }

  /** Starts one that was killed, with more settings; resolves when it takes connections. */
  async restart(more: Record<string, string> = {}): Promise<void> {
    if (!this.#own) throw new Error('this PostgreSQL is not ours');
    const { dir, port, settings } = this.#own;
    const all = {
      ...{ listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: '500' },
      ...settings,
      ...more,
    };
    const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [file, args] = commandOf('postgres', ['-D', join(dir, 'data'), '-p', String(port), ...given]);
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', 'unshare', ...NAMESPACE, file, ...args], {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000);
    });
    await eventually(
      'PostgreSQL takes connections',
      () => {
        if (!this.isRunning) throw new Error(`PostgreSQL did not start:\n${said}`);
        return this.run('SELECT 1').catch(() => undefined);
      },
      READY_WITHIN_MS,
    );
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('PostgreSQL does not run, or is not ours');
    return this.#child.pid;
  }

  /** Makes an empty database, and returns its address. */
  async createDatabase(options = ''): Promise<string> {
    const name = `test_${process.pid}_${databases++}`;
    await this.run(`CREATE DATABASE ${name} ${options}`);
    return this.url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  }

  /** Deletes a database that `createDatabase` has made, with everybody connected to it. */
  async dropDatabase(url: string): Promise<void> {
    const name = /\/(\w+)(?:\?|$)/.exec(url)?.[1] ?? '';
    await this.run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  /** Runs statements in this server's own database, or in that of another address. */
  async run(text: string, url = this.url): Promise<Record<string, unknown>[]> {
    return await PostgresServer.run(text, url);
  }

  static async run(text: string, url: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => {
      // The query fails, too.
    });
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    if (this.#own && !this.#own.isKept) rmSync(this.#own.dir, { recursive: true, force: true });
  }
}

let shared: Promise<PostgresServer> | undefined;

let databases = 0;

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'roomful-postgres-'));
}
