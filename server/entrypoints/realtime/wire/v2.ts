/** `chatroom.v2`: one socket for all rooms of a user. */
import { CLOSE } from '../../../../protocol/constants.ts';
import { ERRORS } from '../../../../protocol/errors.ts';
import { clientFrameV2, type ServerFrameV2 } from '../../../../protocol/frames/v2.ts';
import {
  FILES_PER_MESSAGE,
  HEARTBEAT_MS,
  LINKS_PREVIEWED,
  MAX_FRAME_BYTES,
  MESSAGE_CONTENT,
} from '../../../../protocol/limits.ts';
import type { Ticket } from '../../../../protocol/rest/accounts.ts';
import type { MessageRow, ReactionChange } from '../../../data/storage/store.ts';
import { extraOf } from '../../../rules/message.ts';
import { parseFrame } from './parse-frame.ts';
import { encodeTyping } from './shared-frames.ts';
import type { RoomWire, SocketWire } from './wire.ts';

export function encodeV2(frame: ServerFrameV2): string {
  return JSON.stringify(frame);
}

export interface Hello {
  user: { userId: number; username: string };
  epoch: string;
  /** The number of the last change in the user's log. */
  userSeq: number;
  /** Per socket; zero in either is no limit. */
  messageLimit: { perSecond: number; burst: number };
  /** The most bytes of a file; 0: none is taken. */
  fileBytes: number;
  /** Links of messages get previews, in rooms that want them. */
  linkPreviews: boolean;
  serverName: string;
  /** Another text whenever the emoji of the server have changed; undefined: there are none. */
  emoji?: string | undefined;
  returnTicket: Ticket | undefined;
}

/** The first frame of a line. */
export function encodeHello({ user, epoch, userSeq, serverName, emoji, ...hello }: Hello) {
  const { messageLimit, fileBytes, linkPreviews, returnTicket } = hello;
  return encodeV2({
    type: 'hello',
    protocol: 2,
    user_id: user.userId,
    username: user.username,
    epoch,
    user_seq: userSeq,
    server_time: new Date().toISOString(),
    heartbeat_ms: HEARTBEAT_MS,
    server_name: serverName,
    ...(emoji !== undefined && { emoji }),
    ...(returnTicket && { return_ticket: returnTicket }),
    limits: {
      content: MESSAGE_CONTENT.max,
      frame_bytes: MAX_FRAME_BYTES,
      messages_per_second: messageLimit.perSecond,
      message_burst: messageLimit.burst,
      ...(fileBytes > 0 && { file_bytes: fileBytes, files: FILES_PER_MESSAGE }),
      ...(linkPreviews && { link_previews: LINKS_PREVIEWED }),
    },
  });
}

/** Rooms of the user's list; `entries`: the JSON of each. */
export function encodeRooms(
  entries: readonly string[],
  { complete, more }: { complete: boolean; more?: boolean },
): string {
  return `{"type":"rooms","rooms":[${entries.join(',')}],"complete":${complete}${more ? ',"more":true' : ''}}`;
}

/** What a client that resumes has missed; `events`: their full JSON. */
export function encodeBatch(roomId: number, events: readonly string[]): string {
  return `{"type":"batch","room_id":${roomId},"events":[${events.join(',')}]}`;
}

function encodeReaction(
  { roomId, id, changedSeq }: MessageRow,
  { emoji, userId, on, count }: ReactionChange,
): string {
  const place = { type: 'reaction', room_id: roomId, id, changed_seq: changedSeq } as const;
  return encodeV2({ ...place, emoji, user_id: userId, on, count });
}

/** Undefined where the row is not just the change of a thread. */
function encodeThread({ roomId, id, changedSeq, facts, threadChanged }: MessageRow): string | undefined {
  if (!threadChanged || !facts) return undefined;
  const { thread } = extraOf(facts);
  return thread && encodeV2({ type: 'thread', room_id: roomId, id, changed_seq: changedSeq, thread });
}

/** A room that is open and not in sight: no presence, no typing. */
export const wireOpen: RoomWire = {
  summarizesPresence: true,

  /** Live messages follow on each other; after a gap, one comes in a batch, which may leave out numbers. */
  message({ row, json, isAfterGap }) {
    if (isAfterGap) return encodeBatch(row.roomId, [json]);
    return row.reaction ? encodeReaction(row, row.reaction) : (encodeThread(row) ?? json);
  },
  presenceChange: () => null,
  presenceSummary: () => null,
  presenceState: () => null,
  typing: () => null,
};

/** The room in sight. */
export const wireInSight: RoomWire = {
  ...wireOpen,

  presenceChange({ kind, roomId, person, online }) {
    const [joined, left] = kind === 'join' ? [[person], []] : [[], [person]];
    return encodeV2({ type: 'presence', room_id: roomId, online, joined, left });
  },
  presenceSummary: ({ roomId, online, joined, left }) =>
    encodeV2({ type: 'presence', room_id: roomId, online, joined, left }),
  presenceState: ({ roomId, online, users }) =>
    encodeV2({ type: 'presence', room_id: roomId, online, joined: [], left: [], users: users() }),
  typing: encodeTyping,
};

/** A change of a message that is durable. */
export interface Changed {
  roomId: number;
  id: number;
  ref: string;
  changedSeq: number;
}

export function encodeChanged({ roomId, id, ref, changedSeq }: Changed): string {
  return encodeV2({ type: 'changed', room_id: roomId, id, ref, changed_seq: changedSeq });
}

export const lineWire: SocketWire & { parse: typeof parse } = {
  closeCodes: { shutdown: CLOSE.restart, slowConsumer: CLOSE.slowConsumer },
  parse,
  ack: ({ roomId, cid, id, seq, createdAt, duplicate }) =>
    encodeV2({
      type: 'ack',
      room_id: roomId,
      cid,
      id,
      seq,
      created_at: new Date(createdAt).toISOString(),
      ...(duplicate ? { duplicate } : {}),
    }),
  pong: (t) => encodeV2({ type: 'pong', ...(t === undefined ? {} : { t }) }),
  error: ({ code, roomId, cid, ref, retryAfterMs }) =>
    encodeV2({
      type: 'error',
      ...(roomId === undefined ? {} : { room_id: roomId }),
      content: ERRORS[code].message,
      code,
      retryable: ERRORS[code].retryable,
      ...(cid === undefined ? {} : { cid }),
      ...(ref === undefined ? {} : { ref }),
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    }),
  restart: (inMs) => encodeV2({ type: 'restart', in_ms: inMs }),
};

function parse(text: string) {
  return parseFrame(clientFrameV2, text);
}
