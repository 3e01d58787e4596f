import type { Message, User } from '../../../../client/index.ts';
import { changesOf, useChanges } from '../../stores/changes.ts';
import { useEditing } from '../../stores/editing.ts';
import type { MessageRow, PendingRow } from './message-row.ts';

/** What a row shows: its message as it will be with the changes that are on their way, and what happens to it. */
export function useShownMessage(row: MessageRow | PendingRow, user: User) {
  const held = row.kind === 'message' ? row.message : null;
  const { list: changes, apply } = useChanges((store) => changesOf(store, held?.id));
  const message = held && apply(held);
  const isChanging = changes.some(({ confirmed, conflict }) => !confirmed && conflict === null);
  const isWaiting = isChanging || (row.kind === 'pending' && row.entry.status !== 'failed');
  const deleting = changes.find(({ wanted }) => wanted.kind === 'delete');
  const isGone = deleting !== undefined || message?.deleted_at !== undefined;
  const isEdited = useEditing(({ messageId }) => messageId !== null && messageId === held?.id);
  const answered = row.kind === 'pending' ? row.entry.replyTo : isGone ? undefined : held?.reply_to?.id;
  const { author, text, files, attributes } = describe(row, message, user);
  return {
    message,
    changes,
    deleting,
    author,
    text,
    files,
    attributes,
    answered,
    isChanging,
    isWaiting,
    isGone,
    isEdited,
  };
}

function describe(row: MessageRow | PendingRow, message: Message | null, user: User) {
  if (row.kind === 'pending') {
    const { content, status, files } = row.entry;
    const attributes = { 'data-testid': 'pending-message', 'data-state': status };
    return { author: user, text: content, files, attributes };
  }
  const { id, seq, user_id, username, content, files } = message ?? row.message;
  const attributes = { 'data-testid': 'message', 'data-message-id': id, 'data-seq': seq };
  return { author: { id: user_id, username }, text: content, files, attributes };
}
