/** What travels between the event loop's thread and SQLite's two workers. */
import type { ArgsOf, CommandName, Commands, ReadName, Reads, ResultOf } from '../queries/queries.ts';
import type { AppendOutcome, NewMessage } from '../store.ts';

export type WriteCommand =
  | { [Name in CommandName]: { name: Name; args: ArgsOf<Commands[Name]> } }[CommandName]
  | { name: 'append'; args: NewMessage };

export type WriteResult<Name extends WriteCommand['name']> = Name extends CommandName
  ? ResultOf<Commands[Name]>
  : AppendOutcome;

/** A command that failed by itself and changed nothing, while the rest of its batch was stored. */
export interface CommandFailure {
  /** Its place in the batch. */
  index: number;
  error: string;
}

export type WriterReply =
  | { kind: 'ready'; epoch: string }
  | { kind: 'unusable'; message: string }
  /** Durable. One result for each command, in order; `failures` says which commands failed by themselves. */
  | { kind: 'committed'; results: unknown[]; failures: CommandFailure[] }
  /** Nothing of the batch was stored. */
  | { kind: 'rolled_back'; error: string }
  /** Nobody knows what was stored: the process must end. */
  | { kind: 'unknown'; error: string };

export type ReadRequest = {
  [Name in ReadName]: { id: number; name: Name; args: ArgsOf<Reads[Name]> };
}[ReadName];

export type ReaderReply =
  | { kind: 'ready' }
  | { kind: 'rows'; id: number; result: unknown }
  | { kind: 'failed'; id: number; error: string };
