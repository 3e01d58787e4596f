/**
 * A PostgreSQL server for tests, from the installed binaries, in a folder of its own and on a free port. It and all its
 * children end with the process that started it. TEST_DATABASE_URL names one that runs already, and is used instead.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const BINARIES = '/usr/lib/postgresql';
const READY_WITHIN_MS = 60_000;
const USER = 'roomful';

/** Why tests on PostgreSQL are left out, which is printed; in CI they never are. */
export function whyNoPostgres(): string | undefined {
  const reason = process.env.TEST_DATABASE_URL === undefined ? whyNoBinaries() : undefined;
  if (reason === undefined || process.env.CI !== undefined) return undefined;
  console.info(`skipped: ${reason}`);
  return reason;
}

export class PostgresServer {
  readonly #child: ChildProcess | undefined;
  readonly #dir: string | undefined;
  /** The address of its own database, `postgres`. */
  readonly url: string;

  private constructor(url: string, child?: ChildProcess, dir?: string) {
    this.url = url;
    this.#child = child;
    this.#dir = dir;
  }

  /** `settings`: of the server, such as `fsync`. */
  static async start(settings: Record<string, string> = {}): Promise<PostgresServer> {
    const running = process.env.TEST_DATABASE_URL;
    if (running !== undefined) return new PostgresServer(running);
    const dir = mkdtempSync(join(tmpdir(), 'roomful-postgres-'));
    const data = join(dir, 'data');
    const port = await freePort();
    asPostgres(dir);
    const init = ['-D', data, '-U', USER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
    execFileSync(...command('initdb', init), { cwd: dir, stdio: 'ignore' });
    const all = {
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      ...settings,
    };
    const given = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [file, args] = command('postgres', ['-D', data, '-p', String(port), ...given]);
    const child = spawn('unshare', [...NAMESPACE, file, ...args], {
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-10_000);
    });
    const server = new PostgresServer(`postgres://${USER}@127.0.0.1:${port}/postgres`, child, dir);
    await eventually(
      'PostgreSQL takes connections',
      () => {
        if (child.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${said}`);
        return server.run('SELECT 1').catch(() => undefined);
      },
      READY_WITHIN_MS,
    );
    return server;
  }

  /** Makes an empty database, and returns its address. */
  async createDatabase(): Promise<string> {
    const name = `test_${process.pid}_${databases++}`;
    await this.run(`CREATE DATABASE ${name}`);
    return this.url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
  }

  async run(text: string, url = this.url): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => {
      // It is asked again, or the test fails by what it asks.
    });
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'close');
    }
    if (this.#dir !== undefined) rmSync(this.#dir, { recursive: true, force: true });
  }
}

let databases = 0;

const IS_ROOT = process.getuid?.() === 0;
/**
 * A pid namespace, so that PostgreSQL's children, which leave its process group, end with it. Its first process is a
 * shell that keeps its user: a process that changes it is no longer ended with its parent.
 */
const NAMESPACE = [
  ...(IS_ROOT ? [] : ['--user', '--map-current-user']),
  ...['--pid', '--fork', '--kill-child', 'sh', '-c', '"$@" & wait', 'sh'],
];

/** PostgreSQL refuses to run as root. */
function command(program: string, args: string[]): [string, string[]] {
  const file = join(newestBinaries() ?? '', program);
  if (!IS_ROOT) return [file, args];
  return ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', file, ...args]];
}

function asPostgres(dir: string): void {
  chmodSync(dir, 0o700);
  if (IS_ROOT) execFileSync('chown', ['postgres', dir]);
}

function whyNoBinaries(): string | undefined {
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
