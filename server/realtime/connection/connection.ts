/** One socket of one user in one room: its life, from the upgrade to the close. */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { CLOSE } from '../../../protocol/constants.ts';
import { HEARTBEAT_MS, SILENT_AFTER_MS } from '../../../protocol/limits.ts';
import type { Identity } from '../../identity/tokens.ts';
import type { Logger } from '../../log.ts';
import { SocketWriter } from '../fanout/socket-writer.ts';
import type { Channel } from '../room/channel.ts';
import type { RoomSocket } from '../room/room-socket.ts';
import type { Refusal, Wire } from '../wire/wire.ts';
import type { SocketBudgets } from './budgets.ts';
import { type CommandParts, perform } from './commands.ts';

/** A socket that does not close within this time is terminated. */
const CLOSE_GRACE_MS = 1000;
/** The close frame of a slow consumer waits behind everything that is unsent. */
const SLOW_CLOSE_GRACE_MS = 5000;

export interface ConnectionParts extends CommandParts {
  log: Logger;
}

export class Connection implements RoomSocket {
  readonly wire: Wire;
  readonly user: Identity;
  /** The address that limits count by; undefined: it has none. */
  readonly addressKey: string | undefined;
  readonly writer: SocketWriter;
  readonly budgets: SocketBudgets;
  turn: RoomSocket['turn'] = null;
  missedEphemeral = false;
  readonly #websocket: WebSocket;
  readonly #socket: Socket;
  readonly #channel: Channel;
  readonly #parts: ConnectionParts;
  #heardAt = performance.now();
  #pingedAt = performance.now();
  /** The code that the server closes with, if it does. */
  #closedWith: number | undefined;

  constructor(
    of: {
      websocket: WebSocket;
      socket: Socket;
      wire: Wire;
      user: Identity;
      channel: Channel;
      addressKey: string | undefined;
    },
    parts: ConnectionParts,
    budgets: SocketBudgets,
  ) {
    this.#websocket = of.websocket;
    this.#socket = of.socket;
    this.writer = new SocketWriter(of.socket);
    this.wire = of.wire;
    this.user = of.user;
    this.addressKey = of.addressKey;
    this.#channel = of.channel;
    this.#parts = parts;
    this.budgets = budgets;
    // With ws's default `binaryType` the data is one Buffer, whatever fragments it came in.
    this.#websocket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    this.#websocket.on('ping', (data) => this.#receivePing(data));
    // Unsolicited pongs are limited like pings.
    this.#websocket.on('pong', () => this.#spendOnPing());
    this.#logLife();
    this.#websocket.on('error', (error) =>
      parts.log.debug({ err: error, userId: this.userId }, 'socket error'),
    );
  }

  get userId(): number {
    return this.user.userId;
  }

  get sessionId(): number {
    return this.user.sessionId;
  }

  get roomId(): number {
    return this.#channel.roomId;
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
    this.#channel.fanout.flush();
    this.#websocket.close(code);
    // The rest of a flood is not worth reading, not even for its close frame.
    if (code === CLOSE.abuse) this.#websocket.pause();
    const isSlow = code === this.wire.closeCodes.slowConsumer;
    setTimeout(() => this.terminate(), isSlow ? SLOW_CLOSE_GRACE_MS : CLOSE_GRACE_MS).unref();
  }

  terminate(): void {
    this.#websocket.terminate();
  }

  send(json: string | null): void {
    if (json !== null && this.isOpen()) this.#channel.fanout.send(this, json);
  }

  sendFramed(bytes: Buffer): void {
    if (this.isOpen()) this.#channel.fanout.sendFramed(this, bytes);
  }

  async drained(): Promise<void> {
    this.#channel.fanout.flush();
    while (this.isOpen() && this.#socket.writableNeedDrain) await drainedOrClosed(this.#socket);
  }

  fail(error: unknown): void {
    this.#parts.log.error({ err: error, userId: this.userId }, 'a connection failed');
    this.close(CLOSE.serverFault);
  }

  /** Refuses a frame with an error. A client that keeps sending such frames is closed. */
  refuse(refusal: Refusal): void {
    if (!this.isOpen()) return;
    if (!this.budgets.takeRefusal()) return this.close(CLOSE.abuse);
    this.send(this.wire.error(refusal));
  }

  onOverflow(): void {
    this.#parts.log.info({ userId: this.userId, roomId: this.roomId }, 'slow consumer closed');
    this.close(this.wire.closeCodes.slowConsumer);
  }

  /** Sends heartbeats, and closes sockets that are silent or stalled; `now` is monotonic milliseconds. */
  tick(now: number): void {
    if (!this.isOpen()) return;
    if (now - this.#heardAt > SILENT_AFTER_MS) return this.terminate();
    if (this.writer.isStalled(now)) return this.onOverflow();
    if (this.missedEphemeral && this.writer.unsentBytes === 0) {
      this.missedEphemeral = false;
      this.#channel.refreshPresence(this);
    }
    if (now - this.#pingedAt < HEARTBEAT_MS) return;
    this.#pingedAt = now;
    this.#websocket.ping();
  }

  /** Neither tickets nor messages get into the log. */
  #logLife(): void {
    const { log } = this.#parts;
    const fields = { roomId: this.roomId, userId: this.userId, version: this.wire.version };
    log.debug(fields, 'socket opened');
    this.onClosed((code) => log.debug({ ...fields, code: this.#closedWith ?? code }, 'socket closed'));
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#heardAt = performance.now();
    if (!this.isOpen()) return;
    if (isBinary) return this.close(CLOSE.binary);
    const frame = this.wire.parse(data.toString());
    if ('refused' in frame) return this.refuse({ code: frame.refused, cid: frame.cid });
    perform(frame, data.length, this, this.#parts);
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
