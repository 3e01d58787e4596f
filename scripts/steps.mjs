/** The steps of a build: build.mjs takes all of them, build-if-needed.mjs those that are due. */
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { compressFolder } from './compress.mjs';
import { STATE_FILE } from './fingerprint.mjs';
import { checkInitialJs } from './initial-js.mjs';
import {
  CLIENT_DIR,
  COMPILED,
  hasBuildTools,
  hasClientSources,
  inRoot,
  ROOT,
  SERVER_ENTRY,
  TSC,
  VITE,
} from './paths.mjs';
import { prune } from './prune.mjs';
import { run, StepFailed } from './run.mjs';

/** Checks that a build can begin: its tools are installed, and its output can be written. */
export function requireBuildable() {
  if (!hasBuildTools()) {
    throw new StepFailed(
      'Building needs the development dependencies: run `npm ci --include=dev`, then try again.',
    );
  }
  for (const folder of [inRoot('dist'), ...(hasClientSources() ? [CLIENT_DIR] : [])]) {
    try {
      mkdirSync(folder, { recursive: true });
      accessSync(folder, constants.W_OK);
    } catch {
      throw new StepFailed(
        `Roomful is not built yet, or was built from other sources, and ${folder} cannot be written. ` +
          'Run `npm run build` where the folder can be written, as a user who may write it, and start that copy.',
      );
    }
  }
}

/** Compiles protocol, client and server into dist/. */
export async function compileServer() {
  console.log('build: compiling protocol, client and server');
  prune();
  // tsc trusts its own notes and does not look at the output: with a file missing, only --force brings it back.
  const force = existsSync(SERVER_ENTRY) ? [] : ['--force'];
  await run('tsc', TSC, ['-b', ...force, ...COMPILED]);
}

/**
 * Builds the web client into frontend/dist, with a compressed copy of each text file. Fails when its start has grown
 * too big.
 */
export async function buildClient() {
  console.log('build: building the web client');
  await run('vite build', VITE, ['build', 'frontend', '--logLevel', 'warn']);
  await compressFolder(CLIENT_DIR);
  checkInitialJs(CLIENT_DIR);
}

/** The commit of an archive made by `git archive`, which fills in the hash (.gitattributes); undefined elsewhere. */
function archivedCommit() {
  const text = readFileSync(inRoot('scripts', 'archived-commit.txt'), 'utf8').trim();
  return /^[0-9a-f]{40,64}$/.test(text) ? text : undefined;
}

/** The commit of the working tree; undefined when this folder is no working tree or git is missing. */
function checkedOutCommit() {
  const git = (...args) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    // An archive unpacked inside another repository must not claim that repository's commit.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(ROOT)) return undefined;
    return git('rev-parse', 'HEAD');
  } catch {
    return undefined;
  }
}

function writeJson(path, value) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(value, null, 2)}\n`);
  renameSync(`${path}.new`, path);
}

/** Writes dist/build-info.json, which `GET /version` reports. GIT_COMMIT in the environment wins. */
export function writeBuildInfo() {
  writeJson(inRoot('dist', 'build-info.json'), {
    git_commit: process.env.GIT_COMMIT || checkedOutCommit() || archivedCommit() || 'unknown',
    build_time: new Date().toISOString(),
  });
}

/** Forgets the last build, so that a build that fails halfway is repeated next time. */
export function forgetBuild() {
  rmSync(STATE_FILE, { force: true });
}

/** Remembers what was built, from fingerprints taken before the build began: a change made meanwhile shows. */
export function rememberBuild(state) {
  writeJson(STATE_FILE, state);
}
