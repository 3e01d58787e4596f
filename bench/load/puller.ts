/** A process that reads pages over many connections, seen from the bench. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnNode, stopProcess } from '../pinned-process.ts';

const PULLER_PROCESS = fileURLToPath(new URL('./puller-process.js', import.meta.url));

export interface PullPlan {
  port: number;
  /** The client's address, of 127.0.0.0/8. */
  from: string;
  connections: number;
  /** The connections are of these users in turn. */
  tokens: string[];
  /** Each connection reads them in turn. */
  paths: string[];
  /** Pages of each connection; undefined: until the end. */
  pagesEach?: number | undefined;
}

/** What was got so far. */
export interface Pulled {
  pages: number;
  refused: number;
  bytes: number;
  /** From asking for a page to its last byte. */
  slowestMs: number;
}

export class PullerProcess {
  readonly #child: ChildProcess;

  constructor(cores: string | null, plan: PullPlan) {
    this.#child = spawnNode(cores, [PULLER_PROCESS], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.#child.send(plan);
  }

  async read(): Promise<Pulled> {
    this.#child.send('read');
    const [pulled] = (await once(this.#child, 'message')) as [Pulled];
    return pulled;
  }

  async stop(): Promise<void> {
    await stopProcess(this.#child);
  }
}
