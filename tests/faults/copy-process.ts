/** `roomful copy` as a process that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../server/process/cli/main.js', import.meta.url));

export class CopyProcess {
  readonly #child: ChildProcess;
  /** The exit code; null after a kill. */
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(dataDir: string, url: string) {
    this.#child = spawn(process.execPath, [MAIN, 'copy', '--from', `sqlite:${dataDir}`, '--to', url], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
