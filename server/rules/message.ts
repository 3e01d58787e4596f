/** A stored message as REST and both socket protocols send it. */
import type { Message, MessageExtra } from '../../protocol/events.ts';
import type { MessageRow, TextFacts } from './rows.ts';

export function toMessage(row: MessageRow): Message {
  return {
    type: 'message',
    id: row.id,
    room_id: row.roomId,
    user_id: row.userId,
    username: row.username,
    content: row.content,
    created_at: new Date(row.createdAt).toISOString(),
    seq: row.seq,
    ...(row.cid === null ? {} : { cid: row.cid }),
    ...(row.changedSeq === row.seq ? {} : { changed_seq: row.changedSeq }),
    ...(row.notice === null ? {} : { notice: JSON.parse(row.notice) }),
    ...(row.facts === null ? {} : toFacts(row.facts)),
  };
}

/**
 * `toMessage` as JSON. What is stored as JSON, such as the reactions of many people, is not parsed and written anew.
 */
export function messageJson(row: MessageRow): string {
  const extra = row.facts?.extra;
  if (!row.facts || !extra) return JSON.stringify(toMessage(row));
  const plain = JSON.stringify(toMessage({ ...row, facts: { ...row.facts, extra: null } }));
  return `${plain.slice(0, -1)},${extra.slice(1)}`;
}

/** The message that it quotes, if it does. */
export function quotedId({ facts }: MessageRow): number | undefined {
  // Few texts with reactions quote, and parsing them is most of the work of a page.
  return facts?.extra?.includes('"reply_to"') ? extraOf(facts).reply_to?.id : undefined;
}

/** What is stored with a text as JSON. */
export function extraOf({ extra }: TextFacts): MessageExtra {
  return extra === null ? {} : (JSON.parse(extra) as MessageExtra);
}

function toFacts(facts: TextFacts) {
  const { revision, editedAt, deletedAt, deletedBy, pinnedAt, threadId } = facts;
  return {
    ...(revision === 0 ? {} : { revision }),
    ...(editedAt === null ? {} : { edited_at: new Date(editedAt).toISOString() }),
    ...(deletedAt === null ? {} : { deleted_at: new Date(deletedAt).toISOString() }),
    ...(deletedBy === null ? {} : { deleted_by: deletedBy }),
    ...(pinnedAt === null ? {} : { pinned_at: new Date(pinnedAt).toISOString() }),
    ...(threadId === null ? {} : { thread_id: threadId }),
    ...extraOf(facts),
  };
}
