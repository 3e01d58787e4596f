/** A stored message as REST and both socket protocols send it. */
import type { Message } from '../../protocol/events.ts';
import type { MessageRow } from '../storage/store.ts';

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
  };
}
