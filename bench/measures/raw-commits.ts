/** The baseline of ingest: how much SQLite stores when the process does nothing else. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeDataDir } from '../contenders/roomful.ts';
import { spawnNode } from '../pinned-process.ts';
import type { Bench } from './measure.ts';

const SCRIPT = fileURLToPath(new URL('./raw-commits-process.js', import.meta.url));

/** Returns messages per second, in commits of 100. */
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
