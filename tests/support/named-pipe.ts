/** A named pipe: what a process writes to it stays there until the test reads it. */
import { spawnSync } from 'node:child_process';
import { constants } from 'node:fs';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READ_BYTES = 1024 * 1024;

export class NamedPipe {
  readonly path: string;
  readonly #folder: string;
  readonly #reader: FileHandle;

  private constructor(folder: string, path: string, reader: FileHandle) {
    this.#folder = folder;
    this.path = path;
    this.#reader = reader;
  }

  static async make(): Promise<NamedPipe> {
    const folder = await mkdtemp(join(tmpdir(), 'roomful-pipe-'));
    const path = join(folder, 'pipe');
    const { status } = spawnSync('mkfifo', [path]);
    if (status !== 0) throw new Error('mkfifo failed');
    return new NamedPipe(folder, path, await open(path, constants.O_RDONLY | constants.O_NONBLOCK));
  }

  /** Reads what is in the pipe now. */
  async read(): Promise<string> {
    const buffer = Buffer.alloc(READ_BYTES);
    try {
      const { bytesRead } = await this.#reader.read(buffer, 0, buffer.length, null);
      return buffer.toString('utf8', 0, bytesRead);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
      throw error;
    }
  }

  /** Closes the reader's end: the writer gets EPIPE from now on. */
  async close(): Promise<void> {
    await this.#reader.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reader.close().catch(() => undefined);
    await rm(this.#folder, { recursive: true });
  }
}
