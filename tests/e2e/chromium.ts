/** The browser of the machine: none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const WHOLE = ['chromium', 'chromium-browser', 'google-chrome'];
/** The engine without the browser around it. It takes a third less CPU, and shows no notifications. */
const ENGINE = ['chromium-headless-shell'];
const ARGS = [
  // As root, as in a container, Chromium has no sandbox; it only ever sees our own pages.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where the browser is, or undefined when the `PATH` has none. */
export const chromiumPath = find(WHOLE);

/** Where the engine alone is, or else the browser. */
const enginePath = find(ENGINE) ?? chromiumPath;

/** Why nothing can be driven, in a sentence for who reads the test's output. */
export const NO_CHROMIUM = `No browser: none of ${WHOLE.join(', ')} is in the PATH.`;

/** `env` comes on top of this process's own environment. */
export async function launchChromium(env: Record<string, string> = {}): Promise<Browser> {
  return await launch(chromiumPath, env);
}

const shared = new Map<string, Promise<Browser>>();

/**
 * The browser that all tests of this process share, each in contexts of its own; it ends with the process. Only the
 * whole browser shows notifications; elsewhere it is the engine alone, where that is installed.
 */
export async function sharedBrowser({ notifies }: { notifies: boolean }): Promise<Browser> {
  const path = notifies ? chromiumPath : enginePath;
  const before = await shared.get(path ?? '');
  if (before?.isConnected()) return before;
  const launched = launch(path);
  shared.set(path ?? '', launched);
  return await launched;
}

async function launch(
  executablePath: string | undefined,
  env: Record<string, string> = {},
): Promise<Browser> {
  if (executablePath === undefined) throw new Error(NO_CHROMIUM);
  return await chromium.launch({ executablePath, args: ARGS, env: { ...process.env, ...env } });
}

function find(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
