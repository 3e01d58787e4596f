/** The words of a notification. They have no language: names, and the beginning of the text. */
import { fileNames } from '../../../protocol/excerpt.ts';
import type { NotifyReason } from '../../../protocol/notifications.ts';
import type { PushPayload } from '../../../protocol/rest/push.ts';
import type { NotifyNotice } from '../../data/bus/bus.ts';
import type { AudienceRow, MessageRow } from '../../data/storage/store.ts';
import { filesOf } from '../../rules/attached-files.ts';
import { keptExcerptOf } from '../../rules/excerpts.ts';
import { type Occasion, settingsOf } from './decide.ts';

export interface About {
  occasion: Occasion;
  roomName: string;
  /** Undefined: the author is gone. */
  author: AudienceRow | undefined;
}

export function noticeFor(
  { occasion, roomName, author }: About,
  reason: NotifyReason,
  to: AudienceRow,
): NotifyNotice {
  const { message } = occasion;
  // A display name may be anybody's, so it never stands alone.
  const displayName = author?.displayName || message.username;
  const name = displayName === message.username ? message.username : `${displayName} (${message.username})`;
  const isHidden = settingsOf(to).hide_text === true;
  return {
    roomId: message.roomId,
    messageId: message.id,
    reason,
    title: roomName === '' ? name : `${name} · ${roomName}`,
    body: isHidden ? '' : bodyOf(message),
  };
}

/** Of a message with nothing but files, their names. */
function bodyOf({ content, facts }: MessageRow): string {
  return content === '' ? fileNames(filesOf(facts)) : keptExcerptOf(content);
}

/** With the place of the message in its own flow, so that a page can close the notification once it was read. */
export function payloadOf(
  { roomId, messageId, title, body }: NotifyNotice,
  { message: { seq }, threadId }: Occasion,
): PushPayload {
  return {
    title,
    body,
    room_id: roomId,
    message_id: messageId,
    seq,
    ...(threadId !== null && { thread_id: threadId }),
    url: `/rooms/${roomId}/m/${messageId}`,
    tag: `room ${roomId}`,
  };
}
