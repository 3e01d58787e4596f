/** What a command says: its answer on standard output, everything else on standard error. */
import { ConfigError } from '../../platform/config.ts';
import { UnusableDatabaseError, WrongDatabaseError } from '../../platform/unusable-database.ts';

/** A command's answer: a text for people, and the same for programs, which get it with `--json`. */
export interface Answer {
  text: string;
  data: object;
}

/** A command that could not be done; the sentence says why, and what to do. Exit code 1, or 2 for a wrong argument. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}

/** Writes an answer to standard output: its text, or its data as one line of JSON. */
export function answer({ text, data }: Answer, { json }: { json?: boolean | undefined }): void {
  process.stdout.write(json ? `${JSON.stringify(data)}\n` : text.endsWith('\n') ? text : `${text}\n`);
}

/** Progress and hints, on standard error. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Writes why a command failed, and returns the exit code. What nobody expected is thrown again, with its stack. */
export function report(error: unknown, asJson: boolean): 1 | 2 {
  const isExpected = [CommandError, ConfigError, UnusableDatabaseError].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  say(asJson ? JSON.stringify({ error: error.message }) : error.message);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError || error instanceof WrongDatabaseError ? 2 : 1;
}
