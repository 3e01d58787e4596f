/** The process of a server that is measured. */
import type { ChildProcess } from 'node:child_process';
import {
  coreWaitSecondsOf,
  cpuSecondsOf,
  ioCallsOf,
  residentBytesOf,
  spawnPinned,
  stopProcess,
} from '../pinned-process.ts';

export interface ProcessOptions {
  /** The cores of the server process, as taskset writes them; null: any. */
  cores: string | null;
  /** More arguments for node, such as --cpu-prof. */
  nodeArgs: string[];
  /** What runs the server; without it, the Node that runs the bench. */
  program?: string;
}

const READY = /http:\/\/localhost:(\d+)/;

export class ServerProcess {
  readonly port: number;
  /** The time from spawning to the ready line. */
  readonly startMs: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number, startMs: number) {
    this.#child = child;
    this.port = port;
    this.startMs = startMs;
  }

  /** Starts a compiled script, and waits until it prints the address that it listens on. */
  static start(
    script: string,
    { cores, nodeArgs, program }: ProcessOptions,
    env: Record<string, string> = {},
    cwd?: string,
  ): Promise<ServerProcess> {
    const startedAt = performance.now();
    const child = spawnPinned(cores, program ?? process.execPath, [...nodeArgs, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // The caller's environment must not affect the server.
      env: { PATH: process.env.PATH ?? '', ...env },
      cwd,
    });
    return new Promise((resolve, reject) => {
      let output = '';
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const port = READY.exec(output)?.[1];
        if (port !== undefined)
          resolve(new ServerProcess(child, Number(port), performance.now() - startedAt));
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`${script} ended with code ${code}`)));
    });
  }

  cpuSeconds(): number {
    return cpuSecondsOf(this.#child.pid ?? 0);
  }

  coreWaitSeconds(): number {
    return coreWaitSecondsOf(this.#child.pid ?? 0);
  }

  ioCalls(): { reads: number; writes: number } {
    return ioCallsOf(this.#child.pid ?? 0);
  }

  residentBytes(): number {
    return residentBytesOf(this.#child.pid ?? 0);
  }

  async stop(): Promise<void> {
    await stopProcess(this.#child);
  }
}
