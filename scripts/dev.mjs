/**
 * `npm run dev`: compiles on every change, restarts the server, and serves the web client with hot reload.
 * Ctrl-C ends all of it.
 */
import { once } from 'node:events';
import { watch } from 'node:fs';
import { COMPILED, hasClientSources, inRoot, SERVER_ENTRY, VITE } from './paths.mjs';
import { main, StepFailed, start } from './run.mjs';
import { compileServer, requireBuildable, writeBuildInfo } from './steps.mjs';

/** Files that change within this time (a checkout, an editor that saves all) count as one change. */
const SETTLE_MS = 150;

const children = new Set();
let ending = false;

/** Starts a program. `onEnd` is called with its exit code when it ends by itself. */
function launch(script, args, onEnd) {
  const child = start(script, args);
  children.add(child);
  child.once('exit', (code) => {
    if (children.delete(child)) onEnd(code ?? 1);
  });
  return child;
}

function launchServer() {
  return launch(SERVER_ENTRY, [], () => console.log('dev: the server has ended; waiting for a change'));
}

/** Ends a launched program, and waits for its exit. */
async function stop(child) {
  if (!children.delete(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function endAll(exitCode) {
  if (ending) return;
  ending = true;
  await Promise.all([...children].map(stop));
  process.exit(exitCode);
}

/** Compiles, and returns whether that worked. tsc has printed the errors, and the next change compiles again. */
async function compiles() {
  try {
    await compileServer();
    return true;
  } catch (error) {
    if (error instanceof StepFailed) return false;
    throw error;
  }
}

/** Calls `onChange` after every change of a TypeScript file, one call at a time. */
function watchSources(onChange) {
  let timer;
  let running = Promise.resolve();
  for (const folder of COMPILED) {
    watch(inRoot(folder), { recursive: true }, (_event, file) => {
      if (!file?.endsWith('.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        running = running.then(onChange);
      }, SETTLE_MS);
    });
  }
}

await main(async () => {
  requireBuildable();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => endAll(0));
  let server = (await compiles()) ? launchServer() : undefined;
  writeBuildInfo();
  watchSources(async () => {
    if (ending || !(await compiles()) || ending) return;
    if (server) await stop(server);
    if (!ending) server = launchServer();
  });
  if (hasClientSources()) launch(VITE, ['dev', 'frontend'], endAll);
});
