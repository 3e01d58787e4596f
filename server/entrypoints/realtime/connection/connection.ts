/** One socket of one user: its life, from the upgrade to the close. What it is used for is a subclass's. */
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { CLOSE } from '../../../../protocol/constants.ts';
import { HEARTBEAT_MS, MAX_FRAME_BYTES, SILENT_AFTER_MS } from '../../../../protocol/limits.ts';
import type { Identity } from '../../../features/identity/tokens.ts';
import type { Logger } from '../../../platform/log.ts';
import { countOf, measures } from '../../../platform/metrics/measures.ts';
import type { Outlet } from '../fanout/outlet.ts';
import { SocketWriter } from '../fanout/socket-writer.ts';
import type { Refusal, SocketWire } from '../wire/wire.ts';
import type { SocketBudgets } from './budgets.ts';
import { Unfinished } from './unfinished.ts';

/** A socket that does not close within this time is terminated. */
const CLOSE_GRACE_MS = 1000;
/** As long as the longest text that somebody pastes by mistake. */
const LONG_TEXT_BYTES = 1024 * 1024;
/**
 * The close frame of a slow consumer waits behind everything that is unsent, and a client that floods is busy sending.
 * Ended too early, the connection is reset, and the client never learns why.
 */
const SLOW_CLOSE_GRACE_MS = 5000;
/** A socket that closed while it waited is noticed after this. */
const LONGEST_WAIT_MS = 250;

export interface ConnectionParts {
  hub: { readonly outlet: Outlet };
  log: Logger;
}

/** A socket that was just accepted. */
export interface Accepted {
  websocket: WebSocket;
  socket: Socket;
  user: Identity;
  /** When the client last showed an access token, in Unix milliseconds. */
  admittedAt: number;
  /** The address that limits count by; undefined: it has none. */
  addressKey: string | undefined;
  budgets: SocketBudgets;
}

export abstract class Connection {
  readonly user: Identity;
  readonly addressKey: string | undefined;
  readonly writer: SocketWriter;
  readonly budgets: SocketBudgets;
  abstract readonly wire: SocketWire;
  readonly #websocket: WebSocket;
  readonly #socket: Socket;
  readonly #parts: ConnectionParts;
  #heardAt = performance.now();
  #pingedAt = performance.now();
  readonly #unfinished = new Unfinished();
  /** The code that the server closes with, if it does. */
  #closedWith: number | undefined;
  #fault: Error | undefined;

  constructor({ websocket, socket, user, addressKey, budgets }: Accepted, parts: ConnectionParts) {
    this.#websocket = websocket;
    this.#socket = socket;
    this.writer = new SocketWriter(socket);
    this.user = user;
    this.addressKey = addressKey;
    this.#parts = parts;
    this.budgets = budgets;
    // With ws's default `binaryType` the data is one Buffer, whatever fragments it came in.
    this.#websocket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    this.#websocket.on('ping', (data) => this.#receivePing(data));
    // Unsolicited pongs are limited like pings.
    this.#websocket.on('pong', () => this.#spendOnPing());
    this.#websocket.on('error', (error) => {
      parts.log.debug({ err: error, userId: this.userId }, 'socket error');
      this.#fault = error;
    });
    this.#websocket.on('closing', () => {
      if (this.#closedWith === undefined) this.#endPeer();
    });
    // Neither tickets nor messages get into the log.
    this.onClosed((code) =>
      parts.log.debug({ code: this.#closedWith ?? code, ...this.logFields() }, 'socket closed'),
    );
  }

  /** Called once the socket is accepted and counted: it may be sent frames from here on. */
  abstract begin(): void;
  /** A frame that belongs to the whole socket; null sends nothing. */
  abstract send(json: string | null): void;
  /** A text frame of `bytes` bytes has arrived. */
  protected abstract receive(text: string, bytes: number): void;
  /** The socket has closed. `isStop`: with all others, for a restart, over which nobody leaves. */
  abstract closed(isStop: boolean): void;
  /** Called each second while the socket is open; `now` is monotonic milliseconds. */
  protected abstract ticked(now: number): void;

  logFields(): Record<string, unknown> {
    return { userId: this.userId };
  }

  get userId(): number {
    return this.user.userId;
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

  /** Starts the closing handshake, and terminates the socket if the client does not complete it. */
  close(code: number): void {
    if (!this.isOpen()) return;
    this.#closedWith = code;
    // Frames that were sent before the close must arrive before it.
    this.#parts.hub.outlet.flush();
    this.writer.flush();
    this.#websocket.close(code);
    const isSlow = [this.wire.closeCodes.slowConsumer, CLOSE.abuse, CLOSE.binary].includes(code);
    // The rest of a flood is not worth reading, not even for its close frame.
    this.#endWithin(
      isSlow ? SLOW_CLOSE_GRACE_MS : CLOSE_GRACE_MS,
      code === CLOSE.abuse ? 0 : MAX_FRAME_BYTES,
    );
  }

  /**
   * Once the close has begun: the client has `ms` to complete it, and its close frame has to be among the next `bytes`
   * that it sends. Nothing is read after those: each piece takes memory, and time of all others.
   */
  #endWithin(ms: number, bytes: number): void {
    let left = bytes;
    if (left === 0) this.#websocket.pause();
    else {
      this.#socket.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left <= 0) this.#websocket.pause();
      });
    }
    this.#terminateAfter(ms);
  }

  /**
   * Ends a socket whose client has sent its close frame, or broke the protocol. ws has answered by then, and would read
   * and drop whatever still comes for half a minute. A text that is far too long is read further, so that its sender
   * learns why.
   */
  #endPeer(): void {
    const fault = this.#fault;
    const isTooLong = fault && 'code' in fault && fault.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
    let left = isTooLong ? LONG_TEXT_BYTES : MAX_FRAME_BYTES;
    this.#socket.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left <= 0) this.terminate();
    });
    this.#terminateAfter(fault ? SLOW_CLOSE_GRACE_MS : CLOSE_GRACE_MS);
  }

  /** The timer ends with the socket: what it keeps, such as bytes that were read, would stay for as long. */
  #terminateAfter(ms: number): void {
    const timer = setTimeout(() => this.terminate(), ms).unref();
    this.#websocket.once('close', () => clearTimeout(timer));
  }

  terminate(): void {
    this.#websocket.terminate();
  }

  /** Resolves when the operating system has accepted what was sent, or when the socket is closed. */
  async drained(): Promise<void> {
    // What was sent is written at the end of this turn.
    await nextTurn();
    while (this.isOpen() && this.#socket.writableNeedDrain) await drainedOrClosed(this.#socket);
  }

  /** Some of what the user missed was sent. */
  countMissed(bytes: number): void {
    this.budgets.countMissed(bytes);
  }

  /** Resolves when the user may be sent more of it, or when the socket is closed; undefined: at once. */
  mayBeSentMore(): Promise<void> | undefined {
    return this.budgets.missedWaitMs === 0 ? undefined : this.#paused();
  }

  async #paused(): Promise<void> {
    for (let ms = this.budgets.missedWaitMs; ms > 0 && this.isOpen(); ms = this.budgets.missedWaitMs)
      await sleep(Math.min(ms, LONGEST_WAIT_MS), undefined, { ref: false });
  }

  /** Closes after a fault of the server; the client may reconnect. */
  fail(error: unknown): void {
    this.#parts.log.error({ err: error, userId: this.userId }, 'a connection failed');
    this.close(CLOSE.serverFault);
  }

  /** Refuses a frame with an error. A client that keeps sending such frames is closed. */
  refuse(refusal: Refusal): void {
    if (!this.isOpen()) return;
    if (!this.budgets.takeRefusal()) return this.close(CLOSE.abuse);
    this.sendError(refusal);
  }

  /** Says that a frame was not performed, whoever is at fault. */
  sendError(refusal: Refusal): void {
    countOf(measures.refusedFrames, refusal.code);
    this.send(this.wire.error(refusal));
  }

  /** Too many bytes are unsent, or nothing gets through. */
  onOverflow(): void {
    measures.slowCloses++;
    this.#parts.log.info(this.logFields(), 'slow consumer closed');
    this.close(this.wire.closeCodes.slowConsumer);
  }

  /** The process has stood still for so long: nobody was silent or slow then. */
  stoodStill(ms: number): void {
    this.#heardAt += ms;
    this.#unfinished.stoodStill(ms);
    this.writer.stoodStill(ms);
  }

  /** Sends heartbeats, and closes sockets that are silent or stalled; `now` is monotonic milliseconds. */
  tick(now: number): void {
    if (!this.isOpen()) return;
    if (now - this.#heardAt > SILENT_AFTER_MS) return this.terminate();
    if (this.#unfinished.isOverdue(this.#websocket, now)) return this.close(CLOSE.abuse);
    if (this.writer.isStalled(now)) return this.onOverflow();
    this.ticked(now);
    if (now - this.#pingedAt < HEARTBEAT_MS) return;
    this.#pingedAt = now;
    this.#websocket.ping();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heardAt = performance.now();
    this.#unfinished.end();
    if (!this.isOpen()) return;
    if (isBinary) return this.close(CLOSE.binary);
    this.receive(data.toString(), data.length);
  }

  /**
   * A WebSocket ping costs as much as a `ping` frame. If `ws` answered it, a flood would fill the socket with pongs.
   */
  #receivePing(data: Buffer): void {
    if (this.isOpen() && this.#spendOnPing()) this.#websocket.pong(data);
  }

  #spendOnPing(): boolean {
    this.#heardAt = performance.now();
    const decision = this.budgets.takePing();
    if (!decision.allowed) this.refuse({ code: 'too_fast', retryAfterMs: decision.retryAfterMs });
    return decision.allowed;
  }
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
