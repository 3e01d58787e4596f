import type { OutboxFile } from './outbox-files.ts';

/** What the server assigned to a stored message. */
export interface Receipt {
  readonly id: number;
  readonly seq: number;
  /** RFC 3339, UTC. */
  readonly created_at: string;
}

/** How the sending of a message ended. */
export type Outcome =
  | ({ readonly outcome: 'stored'; readonly files?: readonly OutboxFile[] } & Receipt)
  /** The server refuses the message for good: `code` is a row of the protocol's error table, or `OTHER_DATABASE`. */
  | { readonly outcome: 'refused'; readonly code: string }
  | { readonly outcome: 'discarded' }
  /** The client was closed first. The message stays in the outbox, if the outbox outlives the client. */
  | { readonly outcome: 'kept' };

/**
 * The refusal code of a message that was written for another database: the server's history was restored or reset
 * since. The room with that id may be another one now, so the user decides whether to send the message. The code is
 * the client's own and never sent.
 */
export const OTHER_DATABASE = 'other_database';
