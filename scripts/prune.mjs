/**
 * Removes compiled files from dist/ whose source is gone. `tsc -b` never does that, so a deleted or renamed test
 * would still run.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inRoot } from './paths.mjs';

const FOLDERS = ['protocol', 'client', 'server', 'demo', 'tests', 'bench'];
const OUTPUT = /\.(js|js\.map|d\.ts)$/;

/** Deletes every orphan and returns the number deleted. */
export function prune() {
  let removed = 0;
  for (const folder of FOLDERS) {
    const compiled = inRoot('dist', folder);
    if (!existsSync(compiled)) continue;
    for (const entry of readdirSync(compiled, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !OUTPUT.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const source = inRoot(relative(inRoot('dist'), path).replace(OUTPUT, '.ts'));
      if (existsSync(source)) continue;
      rmSync(path);
      removed++;
    }
  }
  return removed;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) prune();
