/** The yardstick of ingest: what SQLite takes when nothing else is done, in a process on the server's core. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeDataDir } from '../contenders/roomful.ts';
import { spawnNode } from '../pinned-process.ts';
import type { Bench } from './measure.ts';

const SCRIPT = fileURLToPath(new URL('./raw-commits-process.js', import.meta.url));

/** Messages a second, committed in hundreds. */
export async function measureRawCommits({ cores, options }: Bench): Promise<number> {
  const dataDir = await makeDataDir();
  try {
    const child = spawnNode(cores.server, [SCRIPT, dataDir, String(options.seconds)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`the raw loop ended with code ${code}`);
    return Number(output);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
