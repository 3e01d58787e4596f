/** Runs an entry that `build.ts` has joined, in a process or a thread of its own. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Script } from 'node:vm';
import threads, { type WorkerOptions } from 'node:worker_threads';
import { bundleFile, codeFile, type Entry, fastThread } from './entries.ts';

/** Resolves when the entry's own top level has run. */
export async function load(entry: Entry): Promise<void> {
  const file = bundleFile(entry);
  const cachedData =
    process.env.FAST_START_WARMS_UP === undefined ? readFileSync(codeFile(entry)) : undefined;
  // The bundle has ASCII alone, so that V8 keeps it with one byte a character.
  const source = `(async (require) => {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(source, { filename: file, cachedData });
  if (cachedData === undefined) process.on('exit', () => keep(script.createCachedData(), codeFile(entry)));
  await script.runInThisContext()(createRequire(file));
}

function keep(code: Buffer, file: string): void {
  writeFileSync(`${file}.new`, code);
  renameSync(`${file}.new`, file);
}

class Worker extends threads.Worker {
  constructor(file: string | URL, options?: WorkerOptions) {
    super(fastThread(String(file)) ?? file, options);
  }
}

// What is loaded later finds this class in place of Node's.
threads.Worker = Worker;
