/** What a client can ask for over a socket of chatroom.v1: one handler for each type of frame. */
import { AppError } from '../../../../protocol/errors.ts';
import type { ClientFrameV1 } from '../../../../protocol/frames/v1.ts';
import type { Store } from '../../../data/storage/store.ts';
import type { Identity } from '../../../features/identity/tokens.ts';
import type { Posting } from '../../../features/messages/post.ts';
import type { Typing } from '../../../features/presence/typing.ts';
import type { Now } from '../../../platform/clock.ts';
import type { Lifecycle } from '../../../platform/lifecycle.ts';
import type { Logger } from '../../../platform/log.ts';
import type { MessageDraft } from '../../../rules/message-draft.ts';
import type { Seat } from '../room/seat.ts';
import type { Refusal, SocketWire } from '../wire/wire.ts';
import type { SocketBudgets } from './budgets.ts';

export interface CommandParts {
  store: Pick<Store, 'isBlockedIn'>;
  posting: Posting;
  typing: Typing;
  lifecycle: Lifecycle;
  log: Logger;
  now: Now;
}

/** The socket that a message came from. */
export interface PostSocket {
  readonly user: Identity;
  readonly wire: SocketWire;
  readonly budgets: SocketBudgets;
  send(json: string | null): void;
  refuse(refusal: Refusal): void;
  sendError(refusal: Refusal): void;
}

/** The socket that a frame came from. */
export interface CommandSocket extends PostSocket {
  readonly roomId: number;
  readonly seat: Seat;
}

type Frame<T extends ClientFrameV1['type']> = Extract<ClientFrameV1, { type: T }>;
type Handler<F> = (frame: F, bytes: number, socket: CommandSocket, parts: CommandParts) => void;

const HANDLERS: { readonly [T in ClientFrameV1['type']]: Handler<Frame<T>> } = { message, typing, ping };

/** Performs what a frame of `bytes` bytes asks for, or refuses it. */
export function perform(
  frame: ClientFrameV1,
  bytes: number,
  socket: CommandSocket,
  parts: CommandParts,
): void {
  // The table pairs each type with its own handler, which TypeScript cannot follow through the lookup.
  const handler = HANDLERS[frame.type] as Handler<ClientFrameV1>;
  handler(frame, bytes, socket, parts);
}

function message(
  { content }: Frame<'message'>,
  bytes: number,
  socket: CommandSocket,
  parts: CommandParts,
): void {
  postFor({ roomId: socket.roomId, draft: { content, cid: null }, bytes }, socket, parts);
}

export interface PostRequest {
  roomId: number;
  draft: MessageDraft;
  /** The size of the frame. */
  bytes: number;
}

/** Posts a message for the user of this socket, and responds. */
export function postFor(request: PostRequest, socket: PostSocket, parts: CommandParts): void {
  const { roomId, draft, bytes } = request;
  const cid = draft.cid ?? undefined;
  const decision = socket.budgets.takeMessage(draft.content, bytes);
  if (!decision.allowed) {
    return socket.refuse({ code: 'too_fast', roomId, cid, retryAfterMs: decision.retryAfterMs });
  }
  const refusal = parts.lifecycle.frameRefusal;
  if (refusal !== undefined) {
    const { code, retryAfterMs } = refusal;
    return socket.sendError({ code, roomId, cid, retryAfterMs });
  }
  void post(request, socket, parts);
}

async function post(
  { roomId, draft }: PostRequest,
  socket: PostSocket,
  { posting, typing, log }: CommandParts,
): Promise<void> {
  const { user, wire } = socket;
  const { cid } = draft;
  try {
    const posted = await posting.post({ roomId, author: user, draft });
    if (cid !== null) socket.send(wire.ack({ roomId, cid, ...posted }));
    typing.stop(roomId, user);
  } catch (error) {
    if (!(error instanceof AppError)) log.error({ err: error, roomId }, 'a message could not be posted');
    const { code, retryAfterMs } = error instanceof AppError ? error : new AppError('internal_error');
    socket.sendError({ code, roomId, cid: cid ?? undefined, retryAfterMs });
  }
}

function typing(
  { is_typing }: Frame<'typing'>,
  bytes: number,
  socket: CommandSocket,
  parts: CommandParts,
): void {
  const decision = socket.budgets.takeTypingFrame(bytes);
  if (!decision.allowed) return socket.refuse({ code: 'too_fast', retryAfterMs: decision.retryAfterMs });
  setTyping(is_typing, socket, parts);
}

/** The user types, or has stopped. Nobody is told of a user who is muted, or blocked by the other person. */
export function setTyping(
  isTyping: boolean,
  { seat, user, budgets }: Pick<CommandSocket, 'seat' | 'user' | 'budgets'>,
  { store, typing, now }: CommandParts,
): void {
  if (seat.isSilenced(now())) return;
  const { roomId, isDm } = seat.channel;
  const { userId } = user;
  // What others do not get costs nothing: a client may report every keystroke of a key that is held down.
  const mayAnnounce = () => budgets.takeTypingChange();
  if (!isTyping) return typing.stop(roomId, user, mayAnnounce);
  if (!isDm) return typing.start(roomId, user, mayAnnounce);
  const mayTell = async () => !(await store.isBlockedIn({ roomId, userId }));
  void typing.startIf(mayTell, { roomId, user, mayAnnounce });
}

function ping(_: Frame<'ping'>, bytes: number, socket: CommandSocket): void {
  const decision = socket.budgets.takePing(bytes);
  if (!decision.allowed) return socket.refuse({ code: 'too_fast', retryAfterMs: decision.retryAfterMs });
  socket.send(socket.wire.pong());
}
