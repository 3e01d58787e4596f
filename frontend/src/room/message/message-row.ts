/** What a message is rendered from. */
import type { Message, PendingMessage, Room, User } from '../../../../client/index.ts';

export interface MessageRow {
  readonly kind: 'message';
  readonly key: string;
  readonly message: Message;
  readonly at: number;
  /** The first of its group shows the author and the time. */
  readonly first: boolean;
}

/** An own message that the server has not confirmed. It has the key of the `MessageRow` that it becomes. */
export interface PendingRow {
  readonly kind: 'pending';
  readonly key: string;
  readonly entry: PendingMessage;
  readonly at: number;
  readonly first: boolean;
}

/** An own message keeps its key from the moment it is sent, so that it keeps its element. */
export function keyOf({ user_id, cid, seq }: Message, me: number): string {
  return user_id === me && cid !== undefined ? `c${cid}` : `m${seq}`;
}

export function pendingKeyOf({ cid }: PendingMessage): string {
  return `c${cid}`;
}

/** The user, and what they can do about a message of theirs that was not sent. */
export interface PendingActions {
  readonly user: User;
  readonly room: Pick<Room, 'retry' | 'discard'>;
  readonly onEdit: (entry: PendingMessage) => void;
}
