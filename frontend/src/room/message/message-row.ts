/** What a message is drawn from. */
import type { Message, PendingMessage } from '../../../../client/index.ts';

export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly message: Message;
  readonly at: number;
  /** The first of its group carries author and time. */
  readonly first: boolean;
}

/** An own message that the server has not confirmed. Its key is that of the `MessageRow` that it becomes. */
export interface PendingRow {
  readonly kind: 'pending';
  readonly key: string;
  readonly entry: PendingMessage;
  readonly at: number;
  readonly first: boolean;
}
