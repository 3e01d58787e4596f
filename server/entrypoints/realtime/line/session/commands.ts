/** What a client can ask for over a line: one handler for each type of frame. */
import type { ClientFrameV2, ReadMark } from '../../../../../protocol/frames/v2.ts';
import type { Decision } from '../../../../platform/limits/limiter.ts';
import type { MessageDraft } from '../../../../rules/message-draft.ts';
import { postFor, setTyping } from '../../connection/commands.ts';
import type { Lines } from '../lines.ts';
import { type ChangeParts, type ChangeSocket, changeMessage } from './changes.ts';
import type { OpenRooms } from './open-rooms.ts';
import type { Known } from './start.ts';

export interface LineCommandParts extends ChangeParts {
  hub: { readonly lines: Lines };
}

export type LineFrame = ClientFrameV2;

/** The line that a frame came from. */
export interface LineSocket extends ChangeSocket {
  /** The client has sent `start`. */
  readonly hasStarted: boolean;
  readonly open: OpenRooms;
  /** The epoch that the client named in `start`. */
  readonly knownEpoch: string | undefined;
  start(known: Known): void;
  closeRoom(roomId: number): void;
  /** The room in sight; null: none. */
  look(roomId: number | null): void;
  /** Counts what is unread in these rooms. */
  askUnread(roomIds: readonly number[]): void;
  watch(versions: ReadonlyMap<number, number>): Promise<void>;
}

type Frame<T extends LineFrame['type']> = Extract<LineFrame, { type: T }>;
type Handler<F> = (frame: F, bytes: number, line: LineSocket, parts: LineCommandParts) => void;

const HANDLERS: { readonly [T in LineFrame['type']]: Handler<Frame<T>> } = {
  start,
  open,
  close,
  here,
  message,
  edit: changeMessage,
  delete: changeMessage,
  react: changeMessage,
  typing,
  read,
  unread,
  watch,
  ping,
};

/** Performs what a frame of `bytes` bytes asks for, or refuses it. Nothing is performed before `start`. */
export function perform(frame: LineFrame, bytes: number, line: LineSocket, parts: LineCommandParts): void {
  const isFirst = frame.type === 'start';
  if (isFirst === line.hasStarted) return line.refuse({ code: 'invalid_frame', ...aboutOf(frame) });
  // The table pairs each type with its own handler, which TypeScript cannot follow through the lookup.
  const handler = HANDLERS[frame.type] as Handler<LineFrame>;
  handler(frame, bytes, line, parts);
}

function start(frame: Frame<'start'>, _: number, line: LineSocket, { hub }: LineCommandParts): void {
  line.start(frame);
  // The numbers of another database mean nothing here.
  const isOurs = frame.epoch === undefined || frame.epoch === hub.lines.parts.epoch;
  for (const mark of (isOurs && frame.read) || []) addMark(mark, line, hub.lines);
}

function open({ room_id: roomId, since }: Frame<'open'>, _: number, line: LineSocket): void {
  if (!may(line.budgets.takeOpen(), line, roomId)) return;
  line.open.open(roomId, since === undefined ? undefined : { since, epoch: line.knownEpoch });
}

function close({ room_id: roomId }: Frame<'close'>, bytes: number, line: LineSocket): void {
  if (may(line.budgets.takeRequest(bytes), line, roomId)) line.closeRoom(roomId);
}

function here({ room_id: roomId }: Frame<'here'>, bytes: number, line: LineSocket): void {
  if (!may(line.budgets.takeRequest(bytes), line, roomId ?? undefined)) return;
  if (roomId !== null && !line.open.isWanted(roomId)) return line.refuse({ code: 'invalid_frame', roomId });
  line.look(roomId);
}

function message(frame: Frame<'message'>, bytes: number, line: LineSocket, parts: LineCommandParts): void {
  postFor({ roomId: frame.room_id, draft: draftOf(frame), bytes }, line, parts);
}

function draftOf({ content, cid, reply_to, thread_id, files }: Frame<'message'>): MessageDraft {
  return { content, cid: cid ?? null, replyTo: reply_to, threadId: thread_id, files };
}

function typing(
  { room_id: roomId, is_typing }: Frame<'typing'>,
  bytes: number,
  line: LineSocket,
  parts: LineCommandParts,
): void {
  if (!may(line.budgets.takeTypingFrame(bytes), line, roomId)) return;
  if (!line.open.isWanted(roomId)) return line.refuse({ code: 'invalid_frame', roomId });
  // The room may not be open yet, and the user may not be allowed in it: then nothing is sent there.
  const seat = line.open.seat(roomId);
  if (seat) setTyping(is_typing, { seat, user: line.user, budgets: line.budgets }, parts);
}

function read(mark: Frame<'read'>, bytes: number, line: LineSocket, { hub }: LineCommandParts): void {
  if (may(line.budgets.takeRequest(bytes), line, mark.room_id)) addMark(mark, line, hub.lines);
}

function unread({ room_ids: roomIds }: Frame<'unread'>, bytes: number, line: LineSocket): void {
  if (may(line.budgets.takeRequest(bytes), line)) line.askUnread(roomIds);
}

function watch({ users }: Frame<'watch'>, bytes: number, line: LineSocket, { log }: LineCommandParts): void {
  const versions = new Map(Object.entries(users).map(([userId, version]) => [Number(userId), version]));
  if (!may(line.budgets.takeWatch(versions.size, bytes), line)) return;
  line.watch(versions).catch((error) => log.warn({ err: error }, 'people could not be watched'));
}

function ping({ t }: Frame<'ping'>, bytes: number, line: LineSocket): void {
  if (may(line.budgets.takePing(bytes), line)) line.send(line.wire.pong(t));
}

function addMark({ room_id: roomId, seq, known, unread }: ReadMark, line: LineSocket, lines: Lines): void {
  lines.readMarks.add({ userId: line.userId, roomId, seq, known, unread: unread === true });
}

/** Refuses the frame when its budget is used up. */
function may(decision: Decision, line: LineSocket, roomId?: number): boolean {
  if (!decision.allowed) line.refuse({ code: 'too_fast', roomId, retryAfterMs: decision.retryAfterMs });
  return decision.allowed;
}

/** What a refusal repeats of the frame. */
function aboutOf(frame: LineFrame): { roomId?: number; cid?: string | undefined; ref?: string } {
  return {
    ...('room_id' in frame && frame.room_id !== null && { roomId: frame.room_id }),
    ...('cid' in frame && { cid: frame.cid }),
    ...('ref' in frame && { ref: frame.ref }),
  };
}
