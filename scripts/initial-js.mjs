/** Keeps the start of the client small: the scripts that index.html loads at once have a size limit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { StepFailed } from './run.mjs';

/** The limit after gzip. On a slow phone network, 1.6 Mbit/s, this takes 0.6 s. */
const LIMIT_BYTES = 120_000;

const SCRIPT = /<script\b[^>]*\bsrc="\/([^"]+)"/g;
const PRELOAD = /<link\b[^>]*\brel="modulepreload"[^>]*\bhref="\/([^"]+)"/g;
/** Matches `import"./a.js"`, `import{b as c}from"./a.js"` and `export*from"./a.js"`, but not `import("./a.js")`. */
const STATIC_IMPORT = /(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g;

/** The scripts in index.html and everything that they import statically, as paths in `folder`. */
function initialScripts(folder) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const found = new Set();
  const due = [SCRIPT, PRELOAD].flatMap((named) => [...html.matchAll(named)].map(([, path]) => path));
  for (let path = due.pop(); path !== undefined; path = due.pop()) {
    if (found.has(path) || !existsSync(join(folder, path))) continue;
    found.add(path);
    const beside = path.slice(0, path.lastIndexOf('/') + 1);
    const code = readFileSync(join(folder, path), 'utf8');
    due.push(...[...code.matchAll(STATIC_IMPORT)].map(([, file]) => beside + file));
  }
  return [...found].sort();
}

/** Prints the size of the initial JavaScript, and fails when it is over the limit. */
export function checkInitialJs(folder) {
  const scripts = initialScripts(folder);
  if (scripts.length === 0)
    throw new StepFailed('index.html names no script, so the size of the initial JavaScript is unknown.');
  const sizes = scripts.map((path) => gzipSync(readFileSync(join(folder, path)), { level: 9 }).length);
  const bytes = sizes.reduce((total, size) => total + size, 0);
  console.log(`build: ${(bytes / 1000).toFixed(1)} kB of initial JavaScript (gzip)`);
  if (bytes <= LIMIT_BYTES) return;
  const list = scripts.map((path, index) => `  ${sizes[index]} ${path}`).join('\n');
  throw new StepFailed(`The limit of ${LIMIT_BYTES} bytes is exceeded: ${bytes} bytes.\n${list}`);
}
