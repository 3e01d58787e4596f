/** The appending process, seen from the test that lets it die. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Ack } from './storage-acks.ts';

const SCRIPT = fileURLToPath(new URL('./storage-appender.js', import.meta.url));
const WAIT_MS = 60_000;

export interface AppenderOptions {
  dataDir: string;
  /** Part of every cid, so that each life says something new. */
  life: number;
  inFlight: number;
  /** A command that runs the process, e.g. a tracer with its arguments. */
  under?: string[];
}

export class AppenderProcess {
  readonly acks: Ack[] = [];
  refused = 0;
  /** Why the process ended by itself, if it did. */
  fatal: string | null = null;
  readonly exited: Promise<{ code: number | null }>;
  readonly #child: ChildProcess;
  #pid: number | undefined;
  #isOver = false;
  #partial = '';
  #watchers = new Set<() => void>();

  constructor({ dataDir, life, inFlight, under = [] }: AppenderOptions) {
    const command = [...under, process.execPath, SCRIPT, dataDir, String(life), String(inFlight)];
    this.#child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.once('exit', () => {
      this.#isOver = true;
    });
    this.exited = once(this.#child, 'close').then(([code]) => ({ code: code as number | null }));
  }

  /** Waits for a number of acks or refusals; rejects when the process ends before. */
  async reaches(goal: { acks?: number; refused?: number }): Promise<void> {
    const isReached = () =>
      this.acks.length >= (goal.acks ?? Number.POSITIVE_INFINITY) ||
      this.refused >= (goal.refused ?? Number.POSITIVE_INFINITY);
    const reached = new Promise<void>((resolve) => {
      const watch = () => {
        if (!isReached()) return;
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      watch();
    });
    const ended = this.exited.then(({ code }) => {
      throw new Error(`the appender ended with ${code} after ${this.acks.length} acks: ${this.fatal}`);
    });
    await this.#withinTime(Promise.race([reached, ended]));
  }

  /** Ends it as a power cut would, and returns once all that it had said is read. */
  async kill(): Promise<void> {
    // The process itself: a tracer that is killed only lets go of it.
    if (!this.#isOver && this.#pid !== undefined) process.kill(this.#pid, 'SIGKILL');
    else this.#child.kill('SIGKILL');
    await this.exited;
  }

  /** Waits until it has ended by itself. */
  async end(): Promise<{ code: number | null }> {
    return await this.#withinTime(this.exited);
  }

  async #withinTime<T>(done: Promise<T>): Promise<T> {
    let timeout: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timeout = setTimeout(() => {
        reject(new Error(`nothing happened after ${this.acks.length} acks and ${this.refused} refusals`));
        void this.kill();
      }, WAIT_MS);
    });
    try {
      return await Promise.race([done, late]);
    } finally {
      clearTimeout(timeout);
    }
  }

  #read(text: string): void {
    const lines = (this.#partial + text).split('\n');
    // A line that was cut off by the end was still an ack given: but nobody could have read it either.
    this.#partial = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
    for (const watch of this.#watchers) watch();
  }

  #take(line: string): void {
    const [kind, ...words] = line.split(' ');
    const [cid = '', roomId, id, seq] = words;
    if (kind === 'ack') this.acks.push({ cid, roomId: Number(roomId), id: Number(id), seq: Number(seq) });
    else if (kind === 'refused') this.refused++;
    else if (kind === 'pid') this.#pid = Number(cid);
    else if (kind === 'fatal') this.fatal = words.join(' ');
  }
}
