import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { startWorker } from './start-worker.ts';

async function withWorker(code: string, use: (file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'roomful-worker-'));
  const file = join(folder, 'worker.mjs');
  await writeFile(file, `import { parentPort } from 'node:worker_threads';\n${code}`);
  await use(pathToFileURL(file).href);
  await rm(folder, { recursive: true });
}

it('ending a worker that ended by itself after its first message resolves at once', () =>
  withWorker("parentPort.postMessage('no');", async (file) => {
    const { worker, first, end } = await startWorker<string>(file, '');
    expect(first).toBe('no');
    if (worker.threadId !== -1) await once(worker, 'exit');
    await end();
  }));

it('a worker that ends without a message is an error with its exit code', () =>
  withWorker('process.exit(3);', async (file) => {
    await expect(startWorker(file, '')).rejects.toThrow('ended with code 3 at its start');
  }));

it('the place for new objects of a thread has a bound', () =>
  withWorker(
    "parentPort.postMessage('ready'); parentPort.once('message', () => parentPort.close());",
    async (file) => {
      const { worker, end } = await startWorker<string>(file, '');
      expect(worker.resourceLimits?.maxYoungGenerationSizeMb).toBe(6);
      await end();
    },
  ));
