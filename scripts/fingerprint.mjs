/**
 * What a build was made from, as a hash of its sources' contents. Contents, not times: a checkout, a copy and a
 * container layer all change times without changing anything, and a deleted file leaves no time behind.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED, inRoot, ROOT } from './paths.mjs';

const STATE_FILE = inRoot('dist', 'build-state.json');
const NOT_SOURCES = new Set(['node_modules', 'dist']);
/** Kept out of the compiled server's fingerprint: no test runs in the process. */
const TEST_FILE = /\.(test|contract)\.tsx?$/;

function collect(folder, files) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.') || NOT_SOURCES.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) collect(path, files);
    else if (entry.isFile() && !TEST_FILE.test(entry.name)) files.push(path);
  }
  return files;
}

function hashOf(folders, extra) {
  const hash = createHash('sha256');
  const files = folders.filter((folder) => existsSync(inRoot(folder))).flatMap((f) => collect(inRoot(f), []));
  for (const path of [...files.sort(), ...extra.map((name) => inRoot(name)).filter(existsSync)]) {
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/** The fingerprints of the sources as they are now, one for each half that can be built alone. */
export function fingerprints() {
  const shared = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
  return {
    server: hashOf(COMPILED, shared),
    client: hashOf(['protocol', 'client', 'frontend'], shared),
  };
}

/** The fingerprints of the last whole build; empty when there was none. */
export function builtFingerprints() {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8'));
  } catch {
    return {};
  }
}

export { STATE_FILE };
