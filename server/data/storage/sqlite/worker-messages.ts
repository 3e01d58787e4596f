/** What travels between the event loop's thread and SQLite's two workers. */
import type { SqlReads, SqlWrites } from '../queries/queries.ts';
import type { ArgsOf } from '../store/operation.ts';
import type { MessageWrites } from '../store.ts';

type AllWrites = SqlWrites & MessageWrites;

export type WriteCommand = {
  [Name in keyof AllWrites]: { name: Name; args: ArgsOf<AllWrites[Name]> };
}[keyof AllWrites];

/** TypeScript cannot follow that names pair with types. */
export function writeCommand(name: keyof AllWrites, args: never): WriteCommand {
  return { name, args } as WriteCommand;
}

export type WriteResult<Name extends keyof AllWrites> = ReturnType<AllWrites[Name]>;

/** A command that failed by itself and changed nothing, while the rest of its batch was stored. */
export interface CommandFailure {
  /** Its place in the batch. */
  index: number;
  error: string;
}

export type WriterReply =
  | { kind: 'ready'; epoch: string; warnings: string[] }
  | { kind: 'unusable'; message: string }
  /** For the operator's log. */
  | { kind: 'warning' | 'progress'; message: string }
  /** Durable. One result for each command, in order; `failures` says which commands failed by themselves. */
  | { kind: 'committed'; results: unknown[]; failures: CommandFailure[] }
  /** Nothing of the batch was stored. */
  | { kind: 'rolled_back'; code: string; error: string }
  /** Nobody knows what was stored: the process must end. */
  | { kind: 'unknown'; error: string }
  /** Nothing of the batch was stored, and the process must end. */
  | { kind: 'gone'; message: string };

export type ReadRequest = {
  [Name in keyof SqlReads]: { id: number; name: Name; args: ArgsOf<SqlReads[Name]> };
}[keyof SqlReads];

export type ReadResult =
  | { outcome: 'rows'; id: number; result: unknown }
  | { outcome: 'failed'; id: number; code: string; error: string };

export type ReaderReply = { kind: 'ready' } | { kind: 'results'; results: ReadResult[] };
