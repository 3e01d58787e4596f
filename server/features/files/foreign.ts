/** Files that come with a room from another server: their bytes are looked at as those of an upload. */
import { createDiskBlobs } from '../../data/blobs/disk.ts';
import type { FileInfo } from '../../rules/attached-files.ts';
import { CheckThread } from './check-thread.ts';
import { readyVerdict, type Verdict } from './verdict.ts';

export class ForeignFiles {
  readonly #thread = new CheckThread();

  /** The file with this key in the folder. Its bytes become those that may be served; a refused one has none. */
  async check(folder: string, { key, type }: { key: string; type: string }): Promise<Verdict> {
    const blobs = createDiskBlobs(folder);
    const workspace = await blobs.workspace(key);
    try {
      const { path, newPath } = workspace;
      const reply = await this.#thread.check(
        { path, newPath, isCopied: false },
        (await blobs.size(key)) ?? 0,
      );
      if (reply?.state === 'failed') throw new Error(reply.message);
      if (reply?.state !== 'ready') {
        await blobs.delete(key);
        return {
          state: 'refused',
          info: JSON.stringify({ reason: reply?.reason ?? 'not_checked' } satisfies FileInfo),
        };
      }
      if (reply.isChanged) await blobs.replace(key, newPath);
      return readyVerdict(reply, type);
    } finally {
      await workspace.release();
    }
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
  }
}
