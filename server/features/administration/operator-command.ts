/**
 * What a command of the operator is: its arguments, which are checked, and what it does with the parts of the server.
 */
import type { z } from 'zod';
import type { SearchStatus } from '../../../protocol/rest/administration.ts';
import type { Bus } from '../../data/bus/bus.ts';
import type { Store } from '../../data/storage/store.ts';
import type { Passwords } from '../identity/passwords.ts';
import type { Administration } from './administration.ts';
import type { Registrations } from './registrations.ts';
import type { Removal } from './removal.ts';
import type { ServerName } from './server-name.ts';

export interface OperatorParts {
  store: Store;
  bus: Bus;
  administration: Administration;
  serverName: ServerName;
  removal: Removal;
  registrations: Registrations;
  passwords: Passwords;
  search: IndexControl;
  /** Where the web client is, for links. */
  origin: string;
}

/** The index of the search. */
export interface IndexControl {
  status(): Promise<SearchStatus>;
  rebuild(): Promise<void>;
}

/** A sentence for the operator, when a command could not be done. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}

/** A command takes JSON and returns JSON. */
export function command<Args extends z.ZodType, Result>(
  args: Args,
  run: (parts: OperatorParts, args: z.output<Args>) => Promise<Result>,
) {
  return { args, run };
}
