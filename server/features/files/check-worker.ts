/**
 * Looks at the bytes of one file after another, in a thread of its own: what the file is, what it must not tell, its
 * hash. Nothing is decoded. A file that takes too long ends the thread (checker.ts).
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { Read } from '../../../protocol/media/bytes.ts';
import { KINDS, kindOf } from '../../../protocol/media/kinds.ts';
import { sizeOf } from '../../../protocol/media/sizes.ts';
import { stripPlan, strippedBytes, strippedSize } from '../../../protocol/media/strip.ts';
import type { CheckReply, CheckTask } from './check-messages.ts';

const FILE_MODE = 0o600;

async function check({ path, newPath, isCopied }: CheckTask): Promise<CheckReply> {
  const file = openSync(path, 'r');
  try {
    const before = fstatSync(file).size;
    const read: Read = async (offset, length) => {
      const bytes = new Uint8Array(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    };
    const kind = await kindOf(read, before);
    const plan = await stripPlan(kind, read, before);
    if (plan === null) return { state: 'refused', reason: 'unreadable' };
    const isChanged = isCopied || plan.some((piece) => !('from' in piece)) || strippedSize(plan) !== before;
    const size = strippedSize(plan);
    const sha256 = await copy(strippedBytes(plan, read), isChanged ? newPath : undefined);
    const media = await sizeOf(kind, read, before);
    return {
      state: 'ready',
      ...{ size, sha256, kind, isChanged },
      type: kind === 'other' ? undefined : KINDS[kind].type,
      ...{ width: media?.width ?? undefined, height: media?.height ?? undefined },
      frames: (media?.frames ?? 1) > 1 ? (media?.frames ?? undefined) : undefined,
      durationMs: media?.durationMs ?? undefined,
    };
  } finally {
    closeSync(file);
  }
}

/** Their SHA-256; with a path, they are written there. */
async function copy(chunks: AsyncIterable<Uint8Array>, path: string | undefined): Promise<string> {
  const hash = createHash('sha256');
  const to = path === undefined ? undefined : openSync(path, 'wx', FILE_MODE);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      for (let done = 0; to !== undefined && done < chunk.length; ) done += writeSync(to, chunk, done);
    }
  } finally {
    if (to !== undefined) closeSync(to);
  }
  return hash.digest('hex');
}

parentPort?.on('message', (task: CheckTask) => {
  check(task).then(
    (reply) => parentPort?.postMessage(reply),
    // Codes survive the way to another thread, and errors of the system lose them.
    (error: NodeJS.ErrnoException) =>
      parentPort?.postMessage({
        state: 'failed',
        code: error.code,
        message: error.message,
      } satisfies CheckReply),
  );
});
