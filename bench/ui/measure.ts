/** The input and the result of a measure of the client. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import type { ClientOptions } from './options.ts';
import type { Stage } from './stage.ts';

export interface ClientBench {
  readonly options: ClientOptions;
  readonly stage: Stage;
  /** Prints the progress. */
  progress(text: string): void;
}

export interface Finding {
  readonly what: string;
  readonly figure: string;
  readonly target: string;
  readonly isMet: boolean;
}

/**
 * Runs `action`; with `--profile`, under the page's CPU profiler, whose own work is no part of what is measured inside.
 */
export async function profiled<T>(
  { options }: ClientBench,
  devtools: CDPSession,
  name: string,
  action: () => Promise<T>,
): Promise<T> {
  if (options.profile === undefined) return await action();
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.setSamplingInterval', { interval: 500 });
  await devtools.send('Profiler.start');
  const result = await action();
  const { profile } = await devtools.send('Profiler.stop');
  await mkdir(options.profile, { recursive: true });
  await writeFile(join(options.profile, `${name}.cpuprofile`), JSON.stringify(profile));
  return result;
}
