/** The browser of the machine: none is downloaded. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
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
export const chromiumPath = findChromium();

/** Why nothing can be driven, in a sentence for who reads the test's output. */
export const NO_CHROMIUM = `No browser: none of ${NAMES.join(', ')} is in the PATH.`;

/** `env` comes on top of this process's own environment. */
export async function launchChromium(env: Record<string, string> = {}): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error(NO_CHROMIUM);
  return await chromium.launch({ executablePath: chromiumPath, args: ARGS, env: { ...process.env, ...env } });
}

function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
