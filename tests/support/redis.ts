/**
 * A Redis server for tests, on a free port and without persistence. It ends with the process that started it.
 * TEST_REDIS_URL names one that runs already: it is used instead, and tests that stop or pause the server are left out.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createClient } from '@redis/client';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const READY_WITHIN_MS = 60_000;

/** Why tests on Redis are left out, which is printed; in CI they never are. */
export function whyNoRedis({ canBeStopped = false } = {}): string | undefined {
  const reason = process.env.TEST_REDIS_URL === undefined ? whyNoBinary() : undefined;
  const notOurs = canBeStopped && process.env.TEST_REDIS_URL !== undefined;
  const why = notOurs ? 'the server of TEST_REDIS_URL must not be stopped' : reason;
  if (why === undefined || (process.env.CI !== undefined && !notOurs)) return undefined;
  console.info(`skipped: ${why}`);
  return why;
}

export class RedisServer {
  readonly url: string;
  readonly port: number;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(url: string, settings: readonly string[]) {
    this.url = url;
    this.port = Number(new URL(url).port);
    this.#settings = settings;
  }

  /** `settings`: of the server, such as `requirepass`. */
  static async start(settings: Record<string, string> = {}): Promise<RedisServer> {
    const running = process.env.TEST_REDIS_URL;
    if (running !== undefined) return new RedisServer(running, []);
    const given = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
    const { requirepass: password } = settings;
    const port = await freePort();
    const auth = password === undefined ? '' : `:${password}@`;
    const server = new RedisServer(`redis://${auth}127.0.0.1:${port}`, given);
    await server.restart();
    return server;
  }

  /** Starts it again, empty, on the same port. It must have ended before. */
  async restart(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    // It replaces itself by Redis, which therefore keeps this pid and is ended with its parent.
    const args = ['--pdeathsig', 'KILL', 'redis-server', ...options, ...this.#settings];
    const child = spawn('setpriv', args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    let said = '';
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        said = `${said}${text}`.slice(-10_000);
      });
    }
    await eventually(
      'Redis takes commands',
      () => {
        if (child.exitCode !== null) throw new Error(`Redis did not start:\n${said}`);
        return this.run(['PING']).catch(() => undefined);
      },
      READY_WITHIN_MS,
    );
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  get pid(): number {
    if (this.#child?.pid === undefined) throw new Error('Redis does not run, or is not ours');
    return this.#child.pid;
  }

  /** From now on it does nothing, and its connections stay open. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async run(command: string[]): Promise<unknown> {
    const client = createClient({ url: this.url, socket: { reconnectStrategy: false } });
    client.on('error', () => {
      // The command rejects, too.
    });
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

function whyNoBinary(): string | undefined {
  if (process.platform !== 'linux') return 'a Redis for tests is started on Linux only';
  if (spawnSync('redis-server', ['--version']).status !== 0) return 'Redis is not installed';
  return undefined;
}
