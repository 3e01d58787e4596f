/** A server that is started while something that it needs is away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from './eventually.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));

export class WaitingStart {
  readonly #child: ChildProcess;
  readonly #dir: string;
  #stdout = '';
  #stderr = '';

  private constructor(child: ChildProcess, dir: string) {
    this.#child = child;
    this.#dir = dir;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
    });
  }

  static async begin(env: Record<string, string>): Promise<WaitingStart> {
    const dir = await mkdtemp(join(tmpdir(), 'roomful-waiting-'));
    const all = { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(dir, 'data') };
    const child = spawn(process.execPath, [MAIN], {
      ...{ cwd: dir, env: { ...all, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    return new WaitingStart(child, dir);
  }

  /** The reason for which it waits, once it says one that matches. */
  async reason(matches: RegExp): Promise<string> {
    return await eventually(
      `it waits because of ${matches}`,
      () => {
        if (this.#child.exitCode !== null)
          throw new Error(`it ended: ${this.#child.exitCode}\n${this.#stderr}`);
        const lines = this.#stderr.split('\n').filter((line) => line.includes('the start waits'));
        return lines.map((line) => String(JSON.parse(line).reason)).find((reason) => matches.test(reason));
      },
      60_000,
    );
  }

  async isReady(): Promise<void> {
    await eventually('it is ready', () => this.#stdout.includes('is ready at') || undefined, 60_000);
  }

  /** Sends the signal, and says how the process ended. Its workers have ended then, too. */
  async end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
    const closed = once(this.#child, 'close');
    this.#child.kill(signal);
    const [code, by] = await closed;
    return { code, signal: by };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'close');
    }
    await rm(this.#dir, { recursive: true, force: true });
  }
}
