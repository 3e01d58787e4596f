/** What is a user's own, beside memberships, as their devices receive it. */
import type { NotifyNotice } from '../../../data/bus/bus.ts';
import type { OwnLogRow } from '../user-log/user-log.ts';
import { encodeV2 } from './v2.ts';

export function encodeOwn(row: OwnLogRow): string {
  switch (row.kind) {
    case 'inbox': {
      const { roomId, messageId, threadId, seq, reason, createdAt, isRead, removed, userSeq } = row.inbox;
      return encodeV2({
        type: 'inbox',
        room_id: roomId,
        message_id: messageId,
        seq,
        reason,
        ...(threadId !== null && { thread_id: threadId }),
        created_at: new Date(createdAt).toISOString(),
        ...(isRead && { read: isRead }),
        ...(removed && { removed }),
        user_seq: userSeq,
      });
    }
    case 'saved': {
      const { roomId, messageId, note, removed, userSeq } = row.saved;
      return encodeV2({
        type: 'saved',
        room_id: roomId,
        message_id: messageId,
        note,
        ...(removed && { removed }),
        user_seq: userSeq,
      });
    }
    case 'thread': {
      const { roomId, threadId, isFollowing, readSeq, userSeq } = row.thread;
      return encodeV2({
        type: 'thread_follow',
        room_id: roomId,
        thread_id: threadId,
        following: isFollowing,
        read_seq: readSeq,
        user_seq: userSeq,
      });
    }
  }
}

export function encodeNotify({ roomId, messageId, ...notice }: NotifyNotice): string {
  return encodeV2({ type: 'notify', room_id: roomId, message_id: messageId, ...notice });
}
