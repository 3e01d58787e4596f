/** What a command says: its answer on standard output, everything else on standard error. */
import { ConfigError } from '../../platform/config.ts';
import { explainFileError } from '../../platform/file-errors.ts';
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

/** Says that a link works on this machine alone, where it does. Programs (`--json`) see that in the link. */
export function sayIfLocal(url: string, { json }: { json?: boolean | undefined }): void {
  if (!json && /^http:\/\/localhost[:/]/.test(url))
    say('Nobody can open this link elsewhere: set PUBLIC_URL to the address that people use.');
}

/** Progress and hints, on standard error. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Writes why a command failed, and returns the exit code. What nobody expected is thrown again, with its stack. */
export function report(thrown: unknown, asJson: boolean): 1 | 2 {
  const refusal = explainFileError(thrown);
  const error = refusal === undefined ? thrown : new CommandError(refusal);
  const isExpected = [CommandError, ConfigError, UnusableDatabaseError].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) throw error;
  say(asJson ? JSON.stringify({ error: error.message }) : error.message);
  if (error instanceof CommandError) return error.exitCode;
  return error instanceof ConfigError || error instanceof WrongDatabaseError ? 2 : 1;
}
