/**
 * A hash of the sources that a build was made from. It covers contents and not times: a checkout, a copy and a
 * container layer change times without changing anything, and a deleted file has no time.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILED, inRoot, ROOT } from './paths.mjs';

const STATE_FILE = inRoot('dist', 'build-state.json');
const NOT_SOURCES = new Set(['node_modules', 'dist']);
/** Not part of the server's fingerprint: the server runs no tests. */
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

/** The fingerprints of the present sources: one for the server, one for the client, which are built separately. */
export function fingerprints() {
  const shared = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
  return {
    server: hashOf(COMPILED, shared),
    client: hashOf(['protocol', 'client', 'frontend'], shared),
  };
}

/** The fingerprints of the last complete build; empty when there was none. */
export function builtFingerprints() {
  try {
    return JSON.parse(readFileSync(STATE_FILE, 'utf8'));
  } catch {
    return {};
  }
}

export { STATE_FILE };
