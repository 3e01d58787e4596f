/** A disk of a few MiB, made of memory, so that it can be full within a second. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, rmdir, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BALLAST = 'ballast';

export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** Needs the right to mount; rejects with the reason without it. */
  static async mount(mebibytes: number): Promise<SmallDisk> {
    const path = await mkdtemp(join(tmpdir(), 'roomful-small-'));
    const options = `size=${mebibytes}m`;
    const { error, status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], {
      encoding: 'utf8',
    });
    if (status === 0) return new SmallDisk(path);
    await rmdir(path);
    throw new Error(`a small disk cannot be mounted here (${error?.message ?? stderr.trim()})`);
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  /** Takes all free space but this number of bytes; returns how many bytes it took. */
  async fill(leaveBytes: number): Promise<number> {
    const free = await this.freeBytes();
    const ballast = join(this.path, BALLAST);
    await writeFile(ballast, Buffer.alloc(Math.max(0, free - leaveBytes))).catch((error) => {
      // Others write, too: then it is full of both.
      if (error.code !== 'ENOSPC') throw error;
    });
    return (await stat(ballast)).size;
  }

  /** Gives back what `fill` took. */
  async free(): Promise<void> {
    await rm(join(this.path, BALLAST), { force: true });
  }

  async unmount(): Promise<void> {
    // Lazily: after a failed run somebody may still have files open there.
    spawnSync('umount', ['--lazy', this.path]);
    await rmdir(this.path);
  }
}

/** Why no disk can be mounted here, or undefined when one can. */
export async function whyNoSmallDisk(): Promise<string | undefined> {
  try {
    const disk = await SmallDisk.mount(1);
    await disk.unmount();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
