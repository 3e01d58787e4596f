/**
 * The line of a client, for all rooms: one WebSocket after another. It reconnects by itself, with tickets and backoff.
 */
import { CLOSE } from '../../protocol/constants.ts';
import type { ClientFrameV2 } from '../../protocol/frames/v2.ts';
import { ApiError, isSignedOut } from '../api/api-error.ts';
import { LONGEST_PAUSE_MS } from '../api/http.ts';
import { type Cancel, type Clock, nothingToCancel, systemClock } from '../clock.ts';
import { retryDelayMs } from './backoff.ts';
import type { CloseReason, ConnectionState, WaitReason } from './connection-state.ts';
import type { HostSignals } from './host-signals.ts';
import { type LineFrame, LineSocket, type StartFrame } from './line-socket.ts';
import type { WebSocketConstructor } from './web-socket.ts';

export interface LineOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  /** Requests a new ticket of the user; rejects with an `ApiError`. */
  readonly ticket: () => Promise<string>;
  /** Renews the session after the server has closed it; rejects with an `ApiError`. */
  readonly renewSession: () => Promise<unknown>;
  /**
   * What is known so far. Called when the handshake has succeeded, with null; when it returns null then, once more with
   * the epoch that `hello` names.
   */
  readonly start: (epoch: string | null) => StartFrame | null;
  readonly onFrame: (frame: LineFrame) => void;
  readonly onState: (state: ConnectionState) => void;
  /** The round-trip time of a ping, in milliseconds. */
  readonly onLatency?: (ms: number) => void;
  /** See `isOriginRefused`. Called after a handshake that failed, at most once a minute. */
  readonly probeOrigin?: (() => Promise<boolean | null>) | undefined;
  /** Required in Node 20, which has no WebSocket: the class of `ws`. */
  readonly WebSocket?: WebSocketConstructor | undefined;
  readonly signals?: HostSignals | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

/** A connection that was open for this long resets the backoff. */
const STABLE_AFTER_MS = 5000;
/** After this long without a connection, a request may be stuck on a network that is gone. */
const CONNECT_DOUBT_MS = 2000;
/** The minimum pause after a close with 1008 (too many refused frames). */
const ABUSE_PAUSE_MS = 5000;
const PROBE_EVERY_MS = 60_000;
/** RFC 6455 §7.4.1: what a platform reports when the handshake failed or the connection broke. */
const ABNORMAL_CLOSURE = 1006;

/** How long to wait before the next attempt. Without either field, the backoff decides. */
interface Pause {
  /** A minimum. Only the user can shorten it, with `retryNow`. */
  readonly atLeastMs?: number | undefined;
  /** The server has assigned this delay to this client, so it is used as it is. */
  readonly exactlyMs?: number | undefined;
  readonly error?: unknown;
}

export class Line {
  readonly #options: LineOptions;
  readonly #clock: Clock;
  readonly #random: () => number;
  #state: ConnectionState = { status: 'closed', reason: 'stopped' };
  #socket: LineSocket | null = null;
  /** The number of the current attempt. The ticket of an earlier one is ignored. */
  #turn = 0;
  /** Attempts since the last stable connection. */
  #failures = 0;
  /** Monotonic milliseconds; null while the connection is not open. */
  #openSince: number | null = null;
  #connectingSince = 0;
  /** Monotonic milliseconds: the server asked not to reconnect earlier. */
  #notBefore = 0;
  /** From a `restart` frame, for the close that follows it. */
  #restartInMs: number | undefined;
  #mustRenew = false;
  /** Opens the next WebSocket without a request. */
  #returnTicket = '';
  /** Monotonic milliseconds; 0: there is none. */
  #returnUntil = 0;
  /** The current attempt has the return ticket. */
  #isReturn = false;
  #reason: WaitReason | undefined;
  /** Monotonic milliseconds. */
  #nextProbeAt = 0;
  #cancelRetry: Cancel = nothingToCancel;
  #cancelSignals: Cancel = nothingToCancel;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** Connects, and reconnects until `stop`, or until the session is gone for good. */
  start(): void {
    if (this.#state.status !== 'closed') return;
    this.#cancelSignals =
      this.#options.signals?.((signal) => (signal === 'wake' ? this.#onWake() : this.#onOffline())) ??
      nothingToCancel;
    void this.#connect();
  }

  stop(reason: CloseReason = 'stopped'): void {
    this.#close(reason);
  }

  /** Sends at once, or returns false when the connection is not open. Nothing is queued. */
  send(frame: ClientFrameV2): boolean {
    return this.#socket?.send(frame) ?? false;
  }

  /** Ends the current wait. */
  retryNow(): void {
    if (this.#state.status === 'waiting') void this.#connect();
  }

  /** Drops the connection and reconnects after the usual backoff. */
  reconnect(): void {
    if (this.#state.status !== 'closed') this.#wait();
  }

  async #connect(): Promise<void> {
    const turn = this.#abandon();
    this.#connectingSince = this.#clock.elapsed();
    this.#set({ status: 'connecting', reason: this.#reason });
    try {
      if (this.#mustRenew) await this.#options.renewSession();
      this.#mustRenew = false;
      this.#isReturn = this.#clock.elapsed() < this.#returnUntil;
      // It opens one WebSocket, so it is tried once.
      this.#returnUntil = 0;
      const ticket = this.#isReturn ? this.#returnTicket : await this.#options.ticket();
      if (turn === this.#turn) this.#open(ticket);
    } catch (error) {
      if (turn === this.#turn) this.#refused(error);
    }
  }

  #open(ticket: string): void {
    const { url, start, onFrame, onLatency } = this.#options;
    this.#socket = new LineSocket(ticket, {
      url,
      WebSocket: this.#options.WebSocket ?? globalThis.WebSocket,
      clock: this.#clock,
      start,
      onOpen: () => {
        this.#openSince = this.#clock.elapsed();
        this.#reason = undefined;
        this.#set({ status: 'open' });
      },
      onFrame: (frame) => {
        const given = frame.type === 'hello' ? frame.return_ticket : frame.type === 'return_ticket' && frame;
        if (given) {
          this.#returnTicket = given.ticket;
          this.#returnUntil = this.#clock.elapsed() + given.expires_in * 1000;
        }
        onFrame(frame);
      },
      onRestart: (inMs) => {
        this.#restartInMs = Math.min(inMs, LONGEST_PAUSE_MS);
      },
      onLatency,
      onEnd: (code) => (code === null ? this.#wait() : this.#lost(code)),
    });
  }

  #onWake(): void {
    const now = this.#clock.elapsed();
    const { status } = this.#state;
    if (status === 'open') this.#socket?.probe();
    else if (status === 'waiting' && now >= this.#notBefore) this.retryNow();
    else if (status === 'connecting' && now >= this.#connectingSince + CONNECT_DOUBT_MS) void this.#connect();
  }

  /** A socket would not notice for a while. The backoff continues, as the server may run on this very device. */
  #onOffline(): void {
    if (this.#state.status === 'open' || this.#state.status === 'connecting') this.#wait();
  }

  /** The attempt failed before the handshake. */
  #refused(error: unknown): void {
    this.#reason = undefined;
    if (isSignedOut(error)) this.#close('signed_out');
    else if (error instanceof ApiError) this.#wait({ atLeastMs: error.retryAfterMs });
    else this.#wait({ error });
  }

  /** The WebSocket has closed. */
  #lost(code: number): void {
    if (code >= 4200 && code <= 4299) return this.#close('stopped');
    if (code >= 4100 && code <= 4199) {
      this.#mustRenew = true;
      this.#returnUntil = 0;
    }
    const isRefusedUpgrade = this.#state.status === 'connecting' && code === ABNORMAL_CLOSURE;
    // The response to a request for a ticket says what is wrong.
    if (isRefusedUpgrade && this.#isReturn) return void this.#connect();
    this.#wait({ exactlyMs: this.#restartInMs, atLeastMs: code === CLOSE.abuse ? ABUSE_PAUSE_MS : 0 });
    if (isRefusedUpgrade) void this.#explain();
  }

  /** Finds out whether the server refuses this page's origin, and adds that to the state. */
  async #explain(): Promise<void> {
    const { probeOrigin } = this.#options;
    const now = this.#clock.elapsed();
    if (probeOrigin === undefined || now < this.#nextProbeAt) return;
    this.#nextProbeAt = now + PROBE_EVERY_MS;
    const isRefused = await probeOrigin();
    const state = this.#state;
    if (isRefused === null || state.status === 'open' || state.status === 'closed') return;
    this.#reason = isRefused ? 'origin' : undefined;
    if (state.reason !== this.#reason) this.#set({ ...state, reason: this.#reason });
  }

  #wait({ atLeastMs = 0, exactlyMs, error }: Pause = {}): void {
    const now = this.#clock.elapsed();
    if (this.#openSince !== null && now - this.#openSince >= STABLE_AFTER_MS) this.#failures = 0;
    this.#abandon();
    const delayMs = exactlyMs ?? retryDelayMs(this.#failures, atLeastMs, this.#random);
    this.#failures += 1;
    this.#notBefore = now + (exactlyMs ?? atLeastMs);
    this.#cancelRetry = this.#clock.after(delayMs, () => void this.#connect());
    this.#set({
      status: 'waiting',
      retryAt: this.#clock.now() + delayMs,
      reason: this.#reason,
      ...(error !== undefined && { error }),
    });
  }

  #close(reason: CloseReason): void {
    this.#abandon();
    this.#cancelSignals();
    if (this.#state.status !== 'closed') this.#set({ status: 'closed', reason });
  }

  /** Drops the current WebSocket, and cancels the next attempt. Returns the number of the new attempt. */
  #abandon(): number {
    this.#cancelRetry();
    this.#restartInMs = undefined;
    this.#openSince = null;
    this.#socket?.drop();
    this.#socket = null;
    this.#turn += 1;
    return this.#turn;
  }

  #set(state: ConnectionState): void {
    this.#state = state;
    this.#options.onState(state);
  }
}
