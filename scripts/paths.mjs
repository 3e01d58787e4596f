/** Paths for every script. The scripts are plain JavaScript because they run before anything is compiled. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** An absolute path inside the repository. */
export function inRoot(...parts) {
  return join(ROOT, ...parts);
}

/** The TypeScript projects that `tsc -b` compiles into dist/ for the server. */
export const COMPILED = ['protocol', 'client', 'server'];

export const TSC = inRoot('node_modules', 'typescript', 'bin', 'tsc');
export const VITE = inRoot('node_modules', 'vite', 'bin', 'vite.js');
export const SERVER_ENTRY = inRoot('dist', 'server', 'main.js');
export const CLIENT_DIR = inRoot('frontend', 'dist');
export const CLIENT_ENTRY = inRoot('frontend', 'dist', 'index.html');

/** True when devDependencies are installed. A production install has none, and runs an existing build. */
export function hasBuildTools() {
  return existsSync(TSC) && existsSync(VITE);
}

/** True when this checkout has the web client's sources; the server also runs without them. */
export function hasClientSources() {
  return existsSync(inRoot('frontend', 'index.html'));
}
