/** One room's WebSocket that always comes back: ticket, handshake, hello, keep-alive, reconnect. */
import { CLOSE, type Subprotocol, TICKET_PROTOCOL_PREFIX } from '../../protocol/constants.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { ApiError, isRoomGone, isSignedOut } from '../api/api.ts';
import { type Cancel, type Clock, systemClock } from '../clock.ts';
import { LONGEST_PAUSE_MS, reconnectDelayMs } from './backoff.ts';
import { type Frame, parseServerFrame } from './frames.ts';
import type { HostSignals } from './host-signals.ts';

export type CloseReason = 'stopped' | 'signed_out' | 'room_gone';

export type ConnectionState =
  | { readonly status: 'connecting' }
  /** The server has said hello. */
  | { readonly status: 'open' }
  /** `error`: what nobody expected, such as an address that the browser refuses. */
  | { readonly status: 'waiting'; readonly retryAt: number; readonly error?: unknown }
  | { readonly status: 'closed'; readonly reason: CloseReason };

/** What this module needs of a WebSocket: the browser's has it, and so has that of `ws`. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
}
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

/** What the socket keeps to itself: the rest is for the room. */
export type RoomFrame = Exclude<ServerFrameV2, { type: 'pong' | 'restart' }>;

export interface RoomSocketOptions {
  /** `ws://` or `wss://`, with the room and the place to resume from in its query; asked before each connection. */
  readonly url: () => string;
  /** Fetches a fresh ticket for that room; rejects with an `ApiError`. */
  readonly ticket: () => Promise<string>;
  /** Renews the session when the server says that it has ended; rejects with an `ApiError`. */
  readonly renewSession: () => Promise<unknown>;
  readonly onFrame: (frame: RoomFrame) => void;
  readonly onState: (state: ConnectionState) => void;
  /** A ticket has come, and a socket is opened with it. */
  readonly onOpening?: () => void;
  /** How long a ping takes to come back. */
  readonly onLatency?: (ms: number) => void;
  /** Node 20 has none of its own: give it the one of `ws`. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly signals?: HostSignals | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** From the handshake to hello. */
const CONNECT_TIMEOUT_MS = 10_000;
const PING_EVERY_MS = 25_000;
/** A message that has brought no frame for so long makes the connection doubtful. */
const DOUBT_AFTER_MS = 5000;
/** A server that has said nothing for this long after a ping is not there any more. */
const PONG_TIMEOUT_MS = 5000;

/** With this long and no connection, a request may hang in a network that is gone. */
const CONNECT_DOUBT_MS = 2000;
/** Who was too much for the server gives it some air. */
const ABUSE_PAUSE_MS = 5000;

/** How long to stay away after a connection has ended. */
interface Pause {
  /** At least so long, whatever the schedule says; only the user may come back sooner. */
  readonly atLeastMs?: number | undefined;
  /** Exactly so long: the server gives each its own time. */
  readonly exactlyMs?: number | undefined;
  readonly error?: unknown;
}

export class RoomSocket {
  readonly #options: RoomSocketOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  #state: ConnectionState = { status: 'closed', reason: 'stopped' };
  #socket: WebSocketLike | null = null;
  /** Counts connects and disconnects, so that whatever an earlier socket still reports is ignored. */
  #turn = 0;
  /** Failures since the last frame was received. */
  #failures = 0;
  #connectingSince = 0;
  /** The server asked not to come back sooner. */
  #notBefore = 0;
  /** From a `restart` frame, for the close that follows it. */
  #restartInMs: number | undefined;
  #mustRenew = false;
  #cancelTimer: Cancel = () => {};
  /** Armed while something is expected of the server. */
  #cancelDeadline: Cancel | null = null;
  #cancelSignals: Cancel = () => {};

  constructor(options: RoomSocketOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Connects, and stays connected until `stop`, or until the session or the room is gone for good. */
  start(): void {
    if (this.#state.status !== 'closed') return;
    this.#cancelSignals =
      this.#options.signals?.((signal) => (signal === 'wake' ? this.#woken() : this.#offline())) ??
      (() => {});
    void this.#connect();
  }

  stop(reason: CloseReason = 'stopped'): void {
    this.#close(reason);
  }

  /** Sends now, or returns false: nothing is queued here. */
  send(frame: ClientFrameV2): boolean {
    if (this.#state.status !== 'open' || this.#socket === null) return false;
    this.#socket.send(JSON.stringify(frame));
    if (frame.type === 'message')
      this.#cancelDeadline ??= this.#clock.after(DOUBT_AFTER_MS, () => this.#probe());
    return true;
  }

  /** Ends the present wait. */
  retryNow(): void {
    if (this.#state.status === 'waiting') void this.#connect();
  }

  /** Gives the connection up and makes another one, on the usual schedule. */
  reconnect(): void {
    if (this.#state.status !== 'closed') this.#wait();
  }

  async #connect(): Promise<void> {
    const turn = this.#abandon();
    this.#connectingSince = this.#clock.elapsed();
    this.#set({ status: 'connecting' });
    try {
      if (this.#mustRenew) await this.#options.renewSession();
      this.#mustRenew = false;
      const ticket = await this.#options.ticket();
      if (turn === this.#turn) this.#open(turn, ticket);
    } catch (error) {
      if (turn === this.#turn) this.#refused(error);
    }
  }

  #open(turn: number, ticket: string): void {
    this.#options.onOpening?.();
    const WebSocket: WebSocketConstructor = this.#options.WebSocket ?? globalThis.WebSocket;
    const socket = new WebSocket(this.#options.url(), [
      'chatroom.v2' satisfies Subprotocol,
      TICKET_PROTOCOL_PREFIX + ticket,
    ]);
    this.#socket = socket;
    this.#cancelDeadline = this.#clock.after(CONNECT_TIMEOUT_MS, () => this.#wait());
    socket.addEventListener('message', (event) => {
      if (turn === this.#turn) this.#received(event.data);
    });
    // `close` follows every error and says more; `ws` throws an error that nobody listens to.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', (event) => {
      if (turn === this.#turn) this.#lost(event.code);
    });
  }

  #received(data: unknown): void {
    this.#failures = 0;
    const frame = parseServerFrame(data);
    if (this.#state.status !== 'open') {
      // Hello is the first frame; what comes instead of it is no room.
      if (frame?.type === 'hello') this.#welcomed(frame);
      return;
    }
    this.#clearDeadline();
    if (frame === null) return;
    switch (frame.type) {
      case 'pong':
        if (typeof frame.t === 'number')
          this.#options.onLatency?.(Math.max(0, this.#clock.elapsed() - frame.t));
        return;
      case 'restart':
        this.#restartInMs = Math.min(frame.in_ms, LONGEST_PAUSE_MS);
        return;
      default:
        this.#options.onFrame(frame);
    }
  }

  #welcomed(hello: Frame<'hello'>): void {
    this.#clearDeadline();
    this.#set({ status: 'open' });
    this.#options.onFrame(hello);
    this.#keepAlive();
  }

  /** A ping now and every 25 s; what does not answer is given up, as a dead TCP connection may not notice for minutes. */
  #keepAlive(): void {
    this.#probe();
    this.#cancelTimer = this.#clock.after(PING_EVERY_MS, () => this.#keepAlive());
  }

  #probe(): void {
    if (!this.send({ type: 'ping', t: this.#clock.elapsed() })) return;
    this.#clearDeadline();
    this.#cancelDeadline = this.#clock.after(PONG_TIMEOUT_MS, () => this.#wait());
  }

  #woken(): void {
    const now = this.#clock.elapsed();
    const { status } = this.#state;
    if (status === 'open') this.#probe();
    else if (status === 'waiting' && now >= this.#notBefore) this.retryNow();
    else if (status === 'connecting' && now >= this.#connectingSince + CONNECT_DOUBT_MS) void this.#connect();
  }

  /** A socket would not notice for a while. The schedule goes on, as the server may be on this very device. */
  #offline(): void {
    if (this.#state.status === 'open' || this.#state.status === 'connecting') this.#wait();
  }

  /** The session is over, the room does not exist, or there is no connection just now, for whatever reason. */
  #refused(error: unknown): void {
    if (isSignedOut(error)) this.#close('signed_out');
    else if (isRoomGone(error)) this.#close('room_gone');
    else if (error instanceof ApiError) this.#wait({ atLeastMs: error.retryAfterMs });
    else this.#wait({ error });
  }

  #lost(code: number): void {
    if (code >= 4200 && code <= 4299) return this.#close('room_gone');
    if (code >= 4100 && code <= 4199) this.#mustRenew = true;
    this.#wait({ exactlyMs: this.#restartInMs, atLeastMs: code === CLOSE.abuse ? ABUSE_PAUSE_MS : 0 });
  }

  #wait({ atLeastMs = 0, exactlyMs, error }: Pause = {}): void {
    this.#abandon();
    const delayMs = exactlyMs ?? Math.max(reconnectDelayMs(this.#failures, this.#random), atLeastMs);
    this.#failures += 1;
    this.#notBefore = this.#clock.elapsed() + (exactlyMs ?? atLeastMs);
    this.#cancelTimer = this.#clock.after(delayMs, () => void this.#connect());
    this.#set({
      status: 'waiting',
      retryAt: this.#clock.now() + delayMs,
      ...(error !== undefined && { error }),
    });
  }

  #close(reason: CloseReason): void {
    this.#abandon();
    this.#cancelSignals();
    if (this.#state.status !== 'closed') this.#set({ status: 'closed', reason });
  }

  /** Lets go of the present socket and of every timer; returns the number of the new turn. */
  #abandon(): number {
    this.#cancelTimer();
    this.#clearDeadline();
    this.#restartInMs = undefined;
    this.#socket?.close(1000);
    this.#socket = null;
    this.#turn += 1;
    return this.#turn;
  }

  #clearDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = null;
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
