/** A process that uploads many files at the same time, seen from the bench. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { spawnNode, stopProcess } from '../pinned-process.ts';

const UPLOADER_PROCESS = fileURLToPath(new URL('./uploader-process.js', import.meta.url));

export interface UploadTarget {
  port: number;
  /** Where uploads begin. */
  path: string;
  /** The uploads are of these people in turn; an empty token is none. */
  people: { token: string; roomId: number }[];
}

export interface UploadPlan extends UploadTarget {
  uploads: number;
  /** Of each upload. */
  bytes: number;
  /** Of each upload; undefined: as fast as it goes. */
  bytesPerSecond: number | undefined;
  /** Bytes of one request. */
  part: number;
  /** All bytes of a file are sent. Otherwise it waits for one more byte, and is never complete. */
  isComplete: boolean;
}

export interface Uploaded {
  seconds: number;
  requests: number;
  /** From the last byte of a request to its answer. */
  answerMs: number[];
  /** CPU seconds of the uploading process. */
  cpu: number;
}

export type UploaderCommand = { name: 'begin'; plan: UploadPlan } | { name: 'send' } | { name: 'delete' };

export class UploaderProcess {
  readonly #child: ChildProcess;

  constructor(cores: string | null) {
    this.#child = spawnNode(cores, [UPLOADER_PROCESS], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  /** Begins all uploads, and sends nothing yet. */
  async begin(plan: UploadPlan): Promise<void> {
    await this.#run({ name: 'begin', plan });
  }

  /** Sends all bytes, and resolves when each is answered. */
  async send(): Promise<Uploaded> {
    return (await this.#run({ name: 'send' })) as Uploaded;
  }

  /** Takes the uploads back. */
  async delete(): Promise<void> {
    await this.#run({ name: 'delete' });
  }

  async stop(): Promise<void> {
    await stopProcess(this.#child);
  }

  async #run(command: UploaderCommand): Promise<unknown> {
    this.#child.send(command);
    const [reply] = (await once(this.#child, 'message')) as [{ answer?: unknown; error?: string }];
    if (reply.error !== undefined) throw new Error(reply.error);
    return reply.answer;
  }
}
