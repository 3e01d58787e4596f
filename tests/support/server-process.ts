/** The real server as a child process. Tests, fault runs and benches use it, never a stub. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';
import { fastStart } from './fast-start/entries.ts';
import { PostgresServer } from './postgres.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const READY_WITHIN_MS = 60_000;
const EXIT_WITHIN_MS = 30_000;

export interface ServerOptions {
  /** Settings in addition to the test defaults: a free port, a new data folder, no limits but those of sockets, and no mark of overload. */
  env?: Record<string, string>;
  /** The data folder, which is kept after `dispose()`. By default a temporary one is created and removed. */
  dataDir?: string;
  /** Node's own flags, e.g. `--cpu-prof`. */
  execArgv?: string[];
  /** The server as it ships, where the test is about how it is loaded. */
  asShipped?: boolean;
  /** The main file of the server, such as that of a patched copy; by default the one of this build. */
  main?: string;
  /** What follows the main file, such as a command of `roomful`. */
  args?: string[];
  /** A command that runs the process and keeps its pid, such as a tracer with its arguments. */
  under?: string[];
}

/** Whether servers run on PostgreSQL unless a test says otherwise. */
const isOnPostgres = process.env.TEST_STORE === 'postgres';

/** Why a test about files of the embedded database is left out, which is printed. */
export function whyNotEmbedded(): string | undefined {
  if (!isOnPostgres) return undefined;
  const reason = 'it is about files of the embedded database, and TEST_STORE is postgres';
  console.info(`skipped: ${reason}`);
  return reason;
}

type LogLine = Record<string, unknown>;

export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The exit status and output of a start that failed. */
export class StartError extends Error {
  readonly exit: ExitStatus | null;
  readonly stderr: string;

  constructor(message: string, exit: ExitStatus | null, stderr: string) {
    super(`${message}\n${stderr}`);
    this.name = 'StartError';
    this.exit = exit;
    this.stderr = stderr;
  }
}

const running = new Set<ChildProcess>();
// A test runner that ends must not leave servers behind.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class ServerProcess {
  readonly dataDir: string;
  readonly #ownsDataDir: boolean;
  readonly #env: Record<string, string>;
  readonly #command: readonly string[];
  #postgres: PostgresServer | undefined;
  #child: ChildProcess | null = null;
  #exited: Promise<ExitStatus> = Promise.resolve({ code: null, signal: null });
  #port = 0;
  #stdout = '';
  #stderr = '';

  private constructor(dataDir: string, options: ServerOptions) {
    this.dataDir = dataDir;
    this.#ownsDataDir = options.dataDir === undefined;
    this.#env = { ...options.env };
    const { under = [], execArgv = [], args = [], asShipped = false } = options;
    // Flags of Node and tracers are about the server as it ships.
    const isUsual = !asShipped && under.length === 0 && execArgv.length === 0;
    const main = options.main ?? ((isUsual && fastStart('server')) || MAIN);
    this.#command = [...under, process.execPath, ...execArgv, main, ...args];
  }

  /** Starts a server; resolves when it reports that it is ready. Rejects with `StartError` when it ends before that. */
  static async start(options: ServerOptions = {}): Promise<ServerProcess> {
    const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'roomful-test-')));
    const server = new ServerProcess(dataDir, options);
    try {
      if (isOnPostgres && options.env?.DATABASE_URL === undefined) await server.#addDatabase();
      await server.#launch({});
    } catch (error) {
      await server.dispose();
      throw error;
    }
    return server;
  }

  /** An empty database on PostgreSQL, in place of the embedded one. */
  async #addDatabase(): Promise<void> {
    this.#postgres = await PostgresServer.start();
    this.#env.DATABASE_URL = await this.#postgres.createDatabase();
    this.#env.JWT_SECRET ??= randomBytes(32).toString('hex');
  }

  /** Undefined: the embedded database, in the data folder. */
  get databaseUrl(): string | undefined {
    return this.#env.DATABASE_URL;
  }

  get port(): number {
    return this.#port;
  }

  get host(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('the server does not run');
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The standard output of this server, over all its starts. */
  get stdout(): string {
    return this.#stdout;
  }

  /** The log of this server, over all its starts: one JSON object per line. */
  get stderr(): string {
    return this.#stderr;
  }

  /**
   * The complete log lines as objects. Throws when a line is not a JSON object. A line may arrive after what it is
   * about, such as a response: see `logged()`.
   */
  get logs(): LogLine[] {
    return this.#stderr
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** Waits until the log has `count` lines that match, and returns all that do. */
  async logged(matches: (line: LogLine) => boolean, count = 1, withinMs?: number): Promise<LogLine[]> {
    const look = () => {
      const found = this.logs.filter(matches);
      return found.length >= count ? found : undefined;
    };
    return await eventually(`${count} log lines that match`, look, withinMs);
  }

  /** Asks the process to stop gracefully, and waits until it has ended. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<ExitStatus> {
    this.#child?.kill(signal);
    return await this.#waitForExit();
  }

  /** Kills the process, so that none of its handlers runs. */
  async kill(): Promise<ExitStatus> {
    this.#child?.kill('SIGKILL');
    return await this.#waitForExit();
  }

  /** Starts the server again with the same data and port. The process must have ended before. */
  async restart(env: Record<string, string> = {}): Promise<void> {
    if (this.isRunning) throw new Error('stop or kill the server before restarting it');
    await this.#launch({ PORT: String(this.#port), ...env });
  }

  /** Ends the process in any state, and removes its temporary data. */
  async dispose(): Promise<void> {
    if (this.isRunning) await this.kill();
    if (this.#env.DATABASE_URL !== undefined) await this.#postgres?.dropDatabase(this.#env.DATABASE_URL);
    await this.#postgres?.[Symbol.asyncDispose]();
    if (this.#ownsDataDir) await rm(this.dataDir, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose();
  }

  async #launch(env: Record<string, string>): Promise<void> {
    const [program = '', ...args] = this.#command;
    const child = spawn(program, args, {
      // Not the repository, so that neither its `.env` nor its `data/` affects a test.
      cwd: this.dataDir,
      env: {
        PATH: process.env.PATH ?? '',
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: join(this.dataDir, 'data'),
        RATE_LIMIT_PER_SECOND: '0',
        ROOMS_PER_DAY: '0',
        DMS_PER_DAY: '0',
        INVITE_TRIES_PER_MINUTE: '0',
        OVERLOAD_DELAY_MS: '0',
        ...this.#env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    running.add(child);
    const stderrFrom = this.#stderr.length;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
    this.#exited = once(child, 'close').then(([code, signal]) => {
      running.delete(child);
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
    this.#port = await this.#readyPort(child, stderrFrom);
  }

  async #readyPort(child: ChildProcess, stderrFrom: number): Promise<number> {
    const stdoutFrom = this.#stdout.length;
    const timer = new AbortController();
    const ready = new Promise<number>((resolve) => {
      child.stdout?.on('data', () => {
        const match = /http:\/\/[^\s/]+:(\d+)/.exec(this.#stdout.slice(stdoutFrom));
        if (match?.[1] !== undefined) resolve(Number(match[1]));
      });
    });
    const late = new Promise<'late'>((resolve) => {
      const timeout = setTimeout(() => resolve('late'), READY_WITHIN_MS);
      timer.signal.addEventListener('abort', () => clearTimeout(timeout));
    });
    const outcome = await Promise.race([ready, this.#exited, late]);
    timer.abort();
    if (typeof outcome === 'number') return outcome;
    const said = this.#stderr.slice(stderrFrom);
    if (outcome === 'late') throw new StartError('the server was not ready in time', null, said);
    throw new StartError(`the server ended at its start with code ${outcome.code}`, outcome, said);
  }

  async #waitForExit(): Promise<ExitStatus> {
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timeout = setTimeout(
        () => reject(new Error(`the server did not end\n${this.#stderr}`)),
        EXIT_WITHIN_MS,
      );
    });
    try {
      return await Promise.race([this.#exited, late]);
    } finally {
      clearTimeout(timeout);
    }
  }
}
