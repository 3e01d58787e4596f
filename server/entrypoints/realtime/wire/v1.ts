/** `chatroom.v1`, the base protocol: frozen, byte for byte. */
import type { AttachedFile } from '../../../../protocol/attached-files.ts';
import { CLOSE } from '../../../../protocol/constants.ts';
import { ERRORS } from '../../../../protocol/errors.ts';
import { filePath } from '../../../../protocol/file-names.ts';
import { type ClientFrameV1, clientFrameV1, type ServerFrameV1 } from '../../../../protocol/frames/v1.ts';
import type { MessageRow } from '../../../data/storage/store.ts';
import { filesOf } from '../../../rules/attached-files.ts';
import { parseFrame } from './parse-frame.ts';
import { encodeMessage, encodeTyping } from './shared-frames.ts';
import type { PresenceChange, Refused, RoomView, RoomWire, SocketWire } from './wire.ts';

/** Its sockets are in one room each, so one encoder has the frames of both. */
export interface WireV1 extends RoomWire, SocketWire {
  parse(text: string): ClientFrameV1 | Refused;
  /** The first frame of a socket. */
  entered(view: RoomView): string;
}

export const wireV1: WireV1 = {
  closeCodes: { shutdown: CLOSE.goingAway, slowConsumer: CLOSE.overloaded },
  summarizesPresence: false,

  parse: (text) => parseFrame(clientFrameV1, text),

  entered: ownJoin,
  /** New texts only. `cid` belongs to v2: a message without one is the same in both. Each file is a line more. */
  message({ row, json, isNew }) {
    if (!isNew || row.notice !== null || isDeleted(row)) return null;
    const isPlain = row.cid === null && row.facts === null && row.changedSeq === row.seq;
    if (isPlain) return json;
    const content = withLinks(row.content, filesOf(row.facts));
    return encodeMessage({ ...row, content, cid: null, changedSeq: row.seq, facts: null }).json;
  },
  presenceChange: encodePresenceChange,
  presenceSummary: () => null,
  /** The client's own join repeats the one thing that v1 knows of the room's state: the number. */
  presenceState: ownJoin,
  typing: encodeTyping,
  ack: () => null,
  pong: () => encode({ type: 'pong' }),
  error: ({ code }) => encode({ type: 'error', content: ERRORS[code].message }),
  restart: () => null,
};

/** docs/decisions/0101 says why the links are paths, and why the history has none. */
function withLinks(content: string, files: readonly AttachedFile[]): string {
  const lines = files.map(({ key, name }) => filePath(key, name));
  return [...(content === '' ? [] : [content]), ...lines].join('\n');
}

function isDeleted({ facts }: MessageRow): boolean {
  return facts !== null && facts.deletedAt !== null;
}

function encodePresenceChange({ kind, roomId, person, online }: PresenceChange): string {
  return encode({ type: kind, room_id: roomId, ...person, online });
}

function ownJoin({ roomId, person, online }: RoomView): string {
  return encodePresenceChange({ kind: 'join', roomId, person, online });
}

function encode(frame: ServerFrameV1): string {
  return JSON.stringify(frame);
}
