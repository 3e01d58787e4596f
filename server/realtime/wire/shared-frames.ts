/** Frames that both protocols encode alike. */

import type { ServerFrameOneRoom } from '../../../protocol/frames/one-room.ts';
import type { ServerFrameV1 } from '../../../protocol/frames/v1.ts';
import { toMessage } from '../../messages/message.ts';
import type { MessageRow } from '../../storage/store.ts';
import type { EncodedMessage, PresenceChange, TypingChange } from './wire.ts';

type SharedFrame = ServerFrameV1 & ServerFrameOneRoom;

export function encodeMessage(row: MessageRow): EncodedMessage {
  return { row, json: JSON.stringify(toMessage(row)) };
}

export function encodePresenceChange({ kind, roomId, person, online }: PresenceChange): string {
  return encode({ type: kind, room_id: roomId, ...person, online });
}

export function encodeTyping({ roomId, userId, username, isTyping }: TypingChange): string {
  return encode({ type: 'typing', room_id: roomId, user_id: userId, username, is_typing: isTyping });
}

function encode(frame: SharedFrame): string {
  return JSON.stringify(frame);
}
