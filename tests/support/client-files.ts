/**
 * A folder for `CLIENT_DIR` with one file that is larger than any socket buffer, for peers that do not read, and one
 * that is small enough to be sent from memory.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LARGE_FILE_BYTES = 8 * 1024 * 1024;

const SMALL_FILE_BYTES = 400 * 1024;

export const LARGE_FILE = '/assets/large.bin';
export const SMALL_FILE = '/assets/small.bin';

export class ClientFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<ClientFolder> {
    const path = await mkdtemp(join(tmpdir(), 'roomful-client-'));
    await writeFile(join(path, 'index.html'), '<!doctype html>');
    await mkdir(join(path, 'assets'));
    await writeFile(join(path, LARGE_FILE), Buffer.alloc(LARGE_FILE_BYTES));
    await writeFile(join(path, SMALL_FILE), Buffer.alloc(SMALL_FILE_BYTES));
    return new ClientFolder(path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
