/** What a measure of the client is given, and what it gives back. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import type { ClientOptions } from './options.ts';
import type { Stage } from './stage.ts';

export interface ClientBench {
  readonly options: ClientOptions;
  readonly stage: Stage;
  /** Tells whoever waits what goes on. */
  progress(text: string): void;
}

export interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly isMet: boolean;
}

/** Runs `action`; with `--profile`, under the page's CPU profiler. */
export async function profiled(
  { options }: ClientBench,
  devtools: CDPSession,
  name: string,
  action: () => Promise<void>,
): Promise<void> {
  if (options.profile === undefined) return await action();
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.setSamplingInterval', { interval: 500 });
  await devtools.send('Profiler.start');
  await action();
  const { profile } = await devtools.send('Profiler.stop');
  await mkdir(options.profile, { recursive: true });
  await writeFile(join(options.profile, `${name}.cpuprofile`), JSON.stringify(profile));
}
