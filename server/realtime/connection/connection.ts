/** One socket of one user in one room: judges what comes in, and hands on what is good. */
import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { CLOSE } from '../../../protocol/constants.ts';
import { AppError, ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import type { Person } from '../../../protocol/events.ts';
import type { ServerFrameV2 } from '../../../protocol/frames/v2.ts';
import { HEARTBEAT_MS, SILENT_AFTER_MS } from '../../../protocol/limits.ts';
import { textKib } from '../../../protocol/text.ts';
import type { Identity } from '../../identity/tokens.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import type { TokenBucket } from '../../limits/token-bucket.ts';
import type { Logger } from '../../log.ts';
import type { Messages } from '../../messages/messages.ts';
import type { Typing } from '../../presence/typing.ts';
import type { Recipient, Version } from '../fanout/fanout.ts';
import { Line } from '../fanout/socket-writer.ts';
import type { Channel } from '../room/channel.ts';
import { parseFrame } from '../wire/parse-frame.ts';

/** Who is asked to close and does not, is cut. */
const CLOSE_GRACE_MS = 1000;
/** The close of who is slow waits behind all that is unsent. */
const SLOW_CLOSE_GRACE_MS = 5000;

/** What is sent in bulk waits until no more than this is unsent. */
const DRAINED_BYTES = 256 * 1024;

export interface ConnectionBudgets {
  /** Messages; undefined: unlimited. */
  messages: TokenBucket | undefined;
  /** KiB of content, of all sockets of the user together; undefined: unlimited. */
  content: TokenBucket | undefined;
  /** Typing, of all sockets of the user together. */
  typing: TokenBucket;
  /** Typing, pings and whatever else costs little: one for each KiB of the frame. */
  chatter: TokenBucket;
  /** Refusals: who uses these up is not making a mistake any more. */
  refusals: TokenBucket;
}

export interface ConnectionParts {
  messages: Messages;
  typing: Typing;
  lifecycle: Lifecycle;
  log: Logger;
}

export class Connection implements Recipient {
  readonly version: Version;
  readonly user: Identity;
  readonly line: Line;
  turn: Recipient['turn'] = null;
  missedEphemeral = false;
  readonly #websocket: WebSocket;
  readonly #socket: Socket;
  readonly #channel: Channel;
  readonly #parts: ConnectionParts;
  readonly #budgets: ConnectionBudgets;
  #heardAt = performance.now();
  #pingedAt = performance.now();
  /** The code that this side closes with, if it does. */
  #closedWith: number | undefined;

  constructor(
    of: { websocket: WebSocket; socket: Socket; version: Version; user: Identity; channel: Channel },
    parts: ConnectionParts,
    budgets: ConnectionBudgets,
  ) {
    this.#websocket = of.websocket;
    this.#socket = of.socket;
    this.line = new Line(of.socket);
    this.version = of.version;
    this.user = of.user;
    this.#channel = of.channel;
    this.#parts = parts;
    this.#budgets = budgets;
    this.#websocket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    this.#websocket.on('ping', (data) => this.#answerPing(data));
    // Nobody asked for more than a few of them.
    this.#websocket.on('pong', () => this.#spendChatter());
    this.#logLife();
    this.#websocket.on('error', (error) =>
      parts.log.debug({ err: error, userId: this.userId }, 'socket error'),
    );
  }

  get userId(): number {
    return this.user.userId;
  }

  get person(): Person {
    return { user_id: this.user.userId, username: this.user.username };
  }

  get sessionId(): number {
    return this.user.sessionId;
  }

  isOpen(): boolean {
    return this.#websocket.readyState === this.#websocket.OPEN;
  }

  onClosed(listener: (code: number) => void): void {
    // It closes once; `once` would cost as much memory again as a budget.
    this.#websocket.on('close', listener);
  }

  /** Asks the other side to close, with a reason in the code, and insists a moment later. */
  close(code: number): void {
    if (!this.isOpen()) return;
    this.#closedWith = code;
    // What was said before the close is heard before it.
    this.#channel.fanout.flush();
    this.#websocket.close(code);
    // What a flood still has under way is not worth reading, not even its answer to the close.
    if (code === CLOSE.abuse) this.#websocket.pause();
    const isSlow = code === CLOSE.overloaded || code === CLOSE.slowConsumer;
    setTimeout(() => this.terminate(), isSlow ? SLOW_CLOSE_GRACE_MS : CLOSE_GRACE_MS).unref();
  }

  terminate(): void {
    this.#websocket.terminate();
  }

  /** Sends a frame of the connection's own, in its place among the room's. */
  send(frame: ServerFrameV2): void {
    this.sendJson(JSON.stringify(frame));
  }

  sendJson(json: string): void {
    if (this.isOpen()) this.#channel.fanout.send(this, json);
  }

  /** Resolves when little enough is unsent for more to follow, or when the connection is closed. */
  async drained(): Promise<void> {
    this.#channel.fanout.flush();
    while (this.isOpen() && this.line.unsentBytes > DRAINED_BYTES) {
      await drainedOrClosed(this.#socket);
    }
  }

  /** Something of ours went wrong; the other side may come back. */
  fail(error: unknown): void {
    this.#parts.log.error({ err: error, userId: this.userId }, 'a connection failed');
    this.close(CLOSE.serverFault);
  }

  onOverflow(): void {
    this.#parts.log.info({ userId: this.userId, roomId: this.#channel.roomId }, 'slow consumer closed');
    this.close(this.version === 1 ? CLOSE.overloaded : CLOSE.slowConsumer);
  }

  /** Heartbeat and the judgement of the silent and the stalled; `now` is monotonic milliseconds. */
  tick(now: number): void {
    if (!this.isOpen()) return;
    if (now - this.#heardAt > SILENT_AFTER_MS) return this.terminate();
    if (this.line.isStalled(now)) return this.onOverflow();
    if (this.missedEphemeral && this.line.unsentBytes === 0) {
      this.missedEphemeral = false;
      this.#channel.refreshPresence(this);
    }
    if (now - this.#pingedAt < HEARTBEAT_MS) return;
    this.#pingedAt = now;
    this.#websocket.ping();
  }

  /** Neither the ticket nor what is said gets into the log. */
  #logLife(): void {
    const { log } = this.#parts;
    const who = { roomId: this.#channel.roomId, userId: this.userId, version: this.version };
    log.debug(who, 'socket opened');
    this.onClosed((code) => log.debug({ ...who, code: this.#closedWith ?? code }, 'socket closed'));
  }

  #heard(): void {
    this.#heardAt = performance.now();
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#heard();
    if (!this.isOpen()) return;
    if (isBinary) return this.close(CLOSE.binary);
    const bytes = sizeOf(data);
    const frame = parseFrame(this.version, String(data));
    if ('refused' in frame) return this.#refuse(frame.refused, frame.cid);
    switch (frame.type) {
      case 'message':
        return this.#receiveMessage(frame.content, bytes, 'cid' in frame ? frame.cid : undefined);
      case 'typing':
        if (!this.#spendChatter(bytes) || !this.#spend(this.#budgets.typing)) return;
        if (frame.is_typing) this.#parts.typing.start(this.#channel.roomId, this.user);
        else this.#parts.typing.stop(this.#channel.roomId, this.user);
        return;
      case 'ping':
        if (!this.#spendChatter(bytes)) return;
        return this.send({ type: 'pong', ...('t' in frame && frame.t !== undefined ? { t: frame.t } : {}) });
    }
  }

  #receiveMessage(content: string, bytes: number, cid: string | undefined): void {
    // A careless encoder makes a frame several times its text; beyond that it is padding, and costs like text.
    const kib = Math.max(textKib(content), Math.floor(bytes / 8 / 1024));
    for (const budget of [this.#budgets.messages?.take(), this.#budgets.content?.take(kib)]) {
      if (budget?.allowed === false) return this.#refuse('too_fast', cid, budget.retryAfterMs);
    }
    if (this.#parts.lifecycle.draining) return this.#sendError('service_unavailable', cid);
    void this.#post(content, cid);
  }

  async #post(content: string, cid: string | undefined): Promise<void> {
    const { messages, typing, log } = this.#parts;
    const { roomId } = this.#channel;
    try {
      const posted = await messages.post({ roomId, author: this.user, content, cid: cid ?? null });
      if (cid !== undefined) {
        const { id, seq, createdAt, duplicate } = posted;
        const created_at = new Date(createdAt).toISOString();
        this.send({ type: 'ack', cid, id, seq, created_at, ...(duplicate ? { duplicate } : {}) });
      }
      typing.stop(roomId, this.user);
    } catch (error) {
      if (!(error instanceof AppError)) log.error({ err: error, roomId }, 'a message could not be posted');
      const refusal = error instanceof AppError ? error : new AppError('internal_error');
      this.#sendError(refusal.code, cid, refusal.retryAfterMs);
    }
  }

  /** Protocol pings cost what the frame `ping` costs; left to ws, a flood of them would fill the socket with answers. */
  #answerPing(data: Buffer): void {
    if (this.isOpen() && this.#spendChatter()) this.#websocket.pong(data);
  }

  #spendChatter(bytes = 0): boolean {
    this.#heard();
    return this.#spend(this.#budgets.chatter, Math.max(1, Math.ceil(bytes / 1024)));
  }

  #spend(budget: TokenBucket, cost = 1): boolean {
    const decision = budget.take(cost);
    if (decision.allowed) return true;
    this.#refuse('too_fast', undefined, decision.retryAfterMs);
    return false;
  }

  #refuse(code: ErrorCode, cid?: string, retryAfterMs?: number): void {
    if (!this.isOpen()) return;
    if (!this.#budgets.refusals.take().allowed) return this.close(CLOSE.abuse);
    this.#sendError(code, cid, retryAfterMs);
  }

  #sendError(code: ErrorCode, cid?: string, retryAfterMs?: number): void {
    const { message, retryable } = ERRORS[code];
    if (this.version === 1) return this.sendJson(JSON.stringify({ type: 'error', content: message }));
    this.send({
      type: 'error',
      content: message,
      code,
      retryable,
      ...(cid === undefined ? {} : { cid }),
      ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
    });
  }
}

/** `ws` hands a text over as one buffer, or as its fragments. */
function sizeOf(data: RawData): number {
  return Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;
}

function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
  });
}
