/** A real clamd with a signature of its own, for tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** The test string of EICAR, in two halves: a scanner of this machine may not like this file otherwise. */
export const HARMFUL = Buffer.from(
  `${'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR'}${'-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'}`,
);

export class ClamdProcess {
  readonly #folder = join(tmpdir(), `roomful-clamd-${randomUUID()}`);
  readonly #limitMib: number;
  #child: ChildProcess | undefined;

  /** It takes files up to this size. */
  constructor(limitMib: number) {
    this.#limitMib = limitMib;
  }

  /** For CLAMD_URL. */
  get url(): string {
    return `unix:${this.#socket}`;
  }

  async start(): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    const hash = createHash('md5').update(HARMFUL).digest('hex');
    writeFileSync(join(this.#folder, 'tests.hdb'), `${hash}:${HARMFUL.length}:Tests.Harmful\n`);
    const lines = [
      `DatabaseDirectory ${this.#folder}`,
      `LocalSocket ${this.#socket}`,
      `TemporaryDirectory ${this.#folder}`,
      `StreamMaxLength ${this.#limitMib}M`,
      'Foreground yes',
      '',
    ];
    writeFileSync(join(this.#folder, 'clamd.conf'), lines.join('\n'));
    rmSync(this.#socket, { force: true });
    const config = join(this.#folder, 'clamd.conf');
    const args = ['--pdeathsig', 'KILL', 'clamd', '--foreground', '--config-file', config];
    this.#child = spawn('setpriv', args, { stdio: 'ignore' });
    await eventually('clamd listens', () => (existsSync(this.#socket) ? true : undefined), 60_000);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #socket(): string {
    return join(this.#folder, 'clamd.ctl');
  }
}
