/** The steps of a build; build.mjs takes them all, build-if-needed.mjs those that are due. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { compressFolder } from './compress.mjs';
import { STATE_FILE } from './fingerprint.mjs';
import { checkInitialJs } from './initial-js.mjs';
import { CLIENT_DIR, COMPILED, hasBuildTools, inRoot, ROOT, SERVER_ENTRY, TSC, VITE } from './paths.mjs';
import { prune } from './prune.mjs';
import { run, StepFailed } from './run.mjs';

/** Refuses to begin without the tools, with a sentence that says what to do. */
export function requireBuildTools() {
  if (hasBuildTools()) return;
  throw new StepFailed(
    'Building needs the development dependencies: run `npm ci --include=dev`, then try again.',
  );
}

/** Compiles protocol, client and server into dist/. */
export async function compileServer() {
  console.log('build: compiling protocol, client and server');
  prune();
  // tsc judges by its own notes, not by what is there: with an output missing, only --force brings it back.
  const force = existsSync(SERVER_ENTRY) ? [] : ['--force'];
  await run('tsc', TSC, ['-b', ...force, ...COMPILED]);
}

/** Builds the web client into frontend/dist, with a compressed copy of each text file. Fails when its start grew too big. */
export async function buildClient() {
  console.log('build: building the web client');
  await run('vite build', VITE, ['build', 'frontend', '--logLevel', 'warn']);
  await compressFolder(CLIENT_DIR);
  checkInitialJs(CLIENT_DIR);
}

function gitCommit() {
  if (process.env.GIT_COMMIT) return process.env.GIT_COMMIT;
  try {
    const options = { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', 'HEAD'], options).trim();
  } catch {
    return 'unknown'; // An archive without its history, or a machine without git.
  }
}

function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** Writes dist/build-info.json, which `GET /version` tells. */
export function writeBuildInfo() {
  writeJson(inRoot('dist', 'build-info.json'), {
    git_commit: gitCommit(),
    build_time: new Date().toISOString(),
  });
}

/** Forgets the last build, so that one that fails halfway is taken up again next time. */
export function forgetBuild() {
  rmSync(STATE_FILE, { force: true });
}

/** Remembers what was built, from fingerprints taken before the build began: a change made meanwhile shows. */
export function rememberBuild(state) {
  writeJson(STATE_FILE, state);
}
