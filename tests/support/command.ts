/** The command `roomful`, as a process with the settings of a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fastStart } from './fast-start/entries.ts';
import type { ServerProcess } from './server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/process/cli/main.js', import.meta.url));

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

interface CommandOptions {
  input?: string;
  env?: Record<string, string>;
  /** It is killed (SIGKILL) once this resolves, unless it has ended. */
  killOn?: Promise<unknown>;
}

/** Runs it with the data of this server, which may run or not; `dataDir` is the parent of the data folder. */
export async function runCommand(
  server: Pick<ServerProcess, 'dataDir'> & Partial<Pick<ServerProcess, 'databaseUrl'>>,
  args: readonly string[],
  { input = '', env = {}, killOn }: CommandOptions = {},
): Promise<CommandResult> {
  const settings = {
    ...{ PATH: process.env.PATH ?? '', DATA_DIR: join(server.dataDir, 'data') },
    ...(server.databaseUrl === undefined
      ? {}
      : { DATABASE_URL: server.databaseUrl, JWT_SECRET: 'not used, and long enough to be taken' }),
  };
  const child = spawn(process.execPath, [fastStart('command') ?? MAIN, ...args], {
    cwd: server.dataDir,
    env: { ...settings, ...env },
    stdio: 'pipe',
  });
  const result = { code: null, stdout: '', stderr: '' } as CommandResult;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text;
  });
  child.stdin.on('error', () => undefined).end(input);
  // The caller hears of it when what it waits for fails.
  killOn?.then(
    () => child.kill('SIGKILL'),
    () => undefined,
  );
  [result.code] = (await once(child, 'close')) as [number | null];
  return result;
}
