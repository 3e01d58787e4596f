/** The programs and threads that `build.ts` joins into one file each. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** This file runs as dist/tests/support/fast-start/entries.js. */
export const DIST = fileURLToPath(new URL('../../../', import.meta.url));
export const FOLDER = join(DIST, 'fast');

/** Their files in `dist/`. */
export const ENTRIES = {
  server: 'server/main.js',
  command: 'server/process/cli/main.js',
  writer: 'server/data/storage/sqlite/writer.js',
  reader: 'server/data/storage/sqlite/reader.js',
} as const;

export type Entry = keyof typeof ENTRIES;

export const bundleFile = (entry: Entry) => join(FOLDER, `${entry}.script`);
/** What V8 has compiled of it, which only the same version of Node can use. */
export const codeFile = (entry: Entry) => `${bundleFile(entry)}.${process.version}`;
const startFile = (entry: Entry) => join(FOLDER, `${entry}-start.js`);

/** The file to start in place of the entry itself; undefined where the run of tests has not asked for it. */
export function fastStart(entry: Entry): string | undefined {
  return process.env.FAST_START === undefined ? undefined : startFile(entry);
}

/** The same for a thread, by the file that the server starts it from. */
export function fastThread(file: string): string | undefined {
  const entry = (['writer', 'reader'] as const).find((name) => file.endsWith(ENTRIES[name]));
  return entry && startFile(entry);
}
