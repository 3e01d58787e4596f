/** The `chatroom.v2` of one room, superseded by v2.ts: acknowledgements, resume, coded errors and presence in bulk. */
import { CLOSE } from '../../../protocol/constants.ts';
import { ERRORS } from '../../../protocol/errors.ts';
import { clientFrameOneRoom, type ServerFrameOneRoom } from '../../../protocol/frames/one-room.ts';
import { HEARTBEAT_MS, MAX_FRAME_BYTES, MESSAGE_CONTENT } from '../../../protocol/limits.ts';
import { parseFrame } from './parse-frame.ts';
import { encodePresenceChange, encodeTyping } from './shared-frames.ts';
import type { Entry, OneRoomWire, ResumeWire } from './wire.ts';

/** Satisfies `OneRoomWire`, with a resume. */
export const wireOneRoom: OneRoomWire & { readonly resume: ResumeWire } = {
  version: 2,
  closeCodes: { shutdown: CLOSE.restart, slowConsumer: CLOSE.slowConsumer },
  resume: {
    batch: (_, events) => `{"type":"batch","events":[${events.join(',')}]}`,
    sync: (_, seq) => encode({ type: 'sync', seq }),
    reset: (_, seq, epoch) => encode({ type: 'reset', seq, epoch }),
  },
  summarizesPresence: true,

  parse: (text) => parseFrame(clientFrameOneRoom, text),

  entered: hello,
  message: ({ json }) => json,
  presenceChange: encodePresenceChange,
  presenceSummary: ({ online, joined, left }) => encode({ type: 'presence', online, joined, left }),
  presenceState: ({ online, users }) =>
    encode({ type: 'presence', online, joined: [], left: [], users: users() }),
  typing: encodeTyping,
  ack: ({ cid, id, seq, createdAt, duplicate }) =>
    encode({
      type: 'ack',
      cid,
      id,
      seq,
      created_at: new Date(createdAt).toISOString(),
      ...(duplicate ? { duplicate } : {}),
    }),
  pong: (t) => encode({ type: 'pong', ...(t === undefined ? {} : { t }) }),
  error: ({ code, cid, retryAfterMs }) =>
    encode({
      type: 'error',
      content: ERRORS[code].message,
      code,
      retryable: ERRORS[code].retryable,
      ...(cid === undefined ? {} : { cid }),
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    }),
  restart: (inMs) => encode({ type: 'restart', in_ms: inMs }),
};

function hello({ roomId, person, epoch, head, online, users, messageLimit, resumed }: Entry): string {
  return encode({
    type: 'hello',
    protocol: 2,
    room_id: roomId,
    ...person,
    epoch,
    seq: head,
    online,
    users: users(),
    server_time: new Date().toISOString(),
    heartbeat_ms: HEARTBEAT_MS,
    limits: {
      content: MESSAGE_CONTENT.max,
      frame_bytes: MAX_FRAME_BYTES,
      messages_per_second: messageLimit.perSecond,
      message_burst: messageLimit.burst,
    },
    resumed,
  });
}

function encode(frame: ServerFrameOneRoom): string {
  return JSON.stringify(frame);
}
