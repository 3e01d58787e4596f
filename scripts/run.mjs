/** Runs the project's tools with this same Node and without a shell, so it works alike on every system. */
import { spawn } from 'node:child_process';
import { ROOT } from './paths.mjs';

/** Thrown when a step fails. The message is enough for the reader, because the tool has printed the details. */
export class StepFailed extends Error {}

/** Starts a Node program in the repository's root, with its output passed through. */
export function start(script, args, options = {}) {
  return spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: 'inherit', ...options });
}

/** Runs a Node program to its end; throws StepFailed when it fails. */
export async function run(title, script, args) {
  const child = start(script, args);
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...result) => resolve(result));
  });
  if (code !== 0) throw new StepFailed(`${title} failed (${signal ?? `exit code ${code}`})`);
}

/** Runs a script's main function. A failed step ends the process with its message and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(error instanceof StepFailed ? `\n${error.message}` : error);
    process.exitCode = 1;
  }
}
