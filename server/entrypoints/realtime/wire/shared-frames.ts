/** Frames that both protocols encode alike. */
import type { ServerFrameV1 } from '../../../../protocol/frames/v1.ts';
import type { ServerFrameV2 } from '../../../../protocol/frames/v2.ts';
import type { MessageRow } from '../../../data/storage/store.ts';
import { toMessage } from '../../../rules/message.ts';
import type { EncodedMessage, TypingChange } from './wire.ts';

type SharedFrame = ServerFrameV1 & ServerFrameV2;

export function encodeMessage(row: MessageRow): EncodedMessage {
  return { row, json: JSON.stringify(toMessage(row)) };
}

export function encodeTyping({ roomId, userId, username, isTyping }: TypingChange): string {
  return encode({ type: 'typing', room_id: roomId, user_id: userId, username, is_typing: isTyping });
}

function encode(frame: SharedFrame): string {
  return JSON.stringify(frame);
}
