/**
 * One WebSocket of the line: handshake, `start`, `hello`, keep-alive, end. What comes after its end is up to the line.
 */
import { CLOSE, type Subprotocol, TICKET_PROTOCOL_PREFIX } from '../../protocol/constants.ts';
import type { ClientFrameV2, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import type { RoomEntry } from '../../protocol/rooms.ts';
import { type Cancel, type Clock, nothingToCancel } from '../clock.ts';
import { type Frame, parseServerFrame } from './frames.ts';
import type { WebSocketConstructor, WebSocketLike } from './web-socket.ts';

/** The frames that the line passes on. It handles the others itself. */
export type LineFrame = Exclude<ServerFrameV2, { type: 'pong' | 'restart' }>;
/** The first frame of a connection. */
export type StartFrame = Extract<ClientFrameV2, { type: 'start' }>;

export interface LineSocketOptions {
  readonly url: string;
  readonly WebSocket: WebSocketConstructor;
  readonly clock: Clock;
  /** See `LineOptions`. */
  readonly start: (epoch: string | null) => StartFrame | null;
  /** `hello` has arrived, and `start` was sent. `hello` is passed on after this. */
  readonly onOpen: () => void;
  readonly onFrame: (frame: LineFrame) => void;
  readonly onRestart: (inMs: number) => void;
  /** The round-trip time of a ping, in milliseconds. */
  readonly onLatency?: ((ms: number) => void) | undefined;
  /** `code`: the WebSocket has closed. Null: the server did not respond in time. Called once, or never after `drop`. */
  readonly onEnd: (code: number | null) => void;
}

/** The `readyState` of a WebSocket that sends. */
const OPEN = 1;
/** From the handshake to `hello`. */
const CONNECT_TIMEOUT_MS = 10_000;
const PING_EVERY_MS = 25_000;
/** A message, or a change of one, that is followed by no frame for this long triggers a ping. */
const DOUBT_AFTER_MS = 5000;
const PONG_TIMEOUT_MS = 5000;

export class LineSocket {
  readonly #options: LineSocketOptions;
  readonly #clock: Clock;
  readonly #socket: WebSocketLike;
  #state: 'opening' | 'open' | 'over' = 'opening';
  #hasStarted = false;
  /** The rooms of a complete list, of which more are to come. */
  #listing: RoomEntry[] = [];
  #cancelPing: Cancel = nothingToCancel;
  /** Set while a response of the server is due. */
  #cancelDeadline: Cancel | null;

  constructor(ticket: string, options: LineSocketOptions) {
    this.#options = options;
    this.#clock = options.clock;
    const socket = new options.WebSocket(options.url, [
      'chatroom.v2' satisfies Subprotocol,
      TICKET_PROTOCOL_PREFIX + ticket,
    ]);
    this.#socket = socket;
    this.#cancelDeadline = this.#clock.after(CONNECT_TIMEOUT_MS, () => this.#end(null));
    socket.addEventListener('open', () => {
      if (this.#state !== 'over') this.#start(null);
    });
    socket.addEventListener('message', (event) => this.#received(event.data));
    // Every error is followed by `close`, which carries the code. `ws` throws an error that has no listener.
    socket.addEventListener('error', () => {});
    socket.addEventListener('close', (event) => this.#end(event.code));
  }

  /** Sends at once, or returns false when `hello` has not arrived, or the socket is closing or has ended. */
  send(frame: ClientFrameV2): boolean {
    if (this.#state !== 'open') return false;
    const isSent = this.#write(frame);
    // A socket that is closing closes by itself. The ping bounds how long that may take.
    if (!isSent || frame.type === 'message' || 'ref' in frame)
      this.#cancelDeadline ??= this.#clock.after(DOUBT_AFTER_MS, () => this.probe());
    return isSent;
  }

  /** Pings, and ends the socket when no pong arrives in time. */
  probe(): void {
    if (this.#state !== 'open') return;
    this.#write({ type: 'ping', t: this.#clock.elapsed() });
    this.#clearDeadline();
    this.#cancelDeadline = this.#clock.after(PONG_TIMEOUT_MS, () => this.#end(null));
  }

  /** Closes the WebSocket. Nothing is called from now on. */
  drop(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    this.#cancelPing();
    this.#clearDeadline();
    this.#socket.close(CLOSE.done);
  }

  #start(epoch: string | null): void {
    const frame = this.#options.start(epoch);
    this.#hasStarted = frame !== null;
    if (frame !== null) this.#write(frame);
  }

  /** A socket that is closing would drop the frame, and Chrome would log an error. */
  #write(frame: ClientFrameV2): boolean {
    if (this.#socket.readyState !== OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #received(data: unknown): void {
    if (this.#state === 'over') return;
    const frame = parseServerFrame(data);
    if (this.#state === 'opening') {
      // `hello` is the first frame. Ignore anything that comes before it.
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
        return this.#options.onRestart(frame.in_ms);
      case 'rooms':
        return this.#listed(frame);
      default:
        this.#options.onFrame(frame);
    }
  }

  /** A complete list is passed on as one frame, whatever number of frames it came in. */
  #listed(frame: Frame<'rooms'>): void {
    if (!frame.complete) return this.#options.onFrame(frame);
    this.#listing.push(...frame.rooms);
    if (frame.more) return;
    const rooms = this.#listing;
    this.#listing = [];
    this.#options.onFrame({ type: 'rooms', rooms, complete: true });
  }

  #welcomed(hello: Frame<'hello'>): void {
    this.#clearDeadline();
    if (!this.#hasStarted) this.#start(hello.epoch);
    this.#state = 'open';
    this.#options.onOpen();
    this.#options.onFrame(hello);
    this.#keepAlive();
  }

  /** Pings now and every 25 s: without a response a dead TCP connection may go unnoticed for minutes. */
  #keepAlive(): void {
    if (this.#state === 'over') return;
    this.probe();
    this.#cancelPing = this.#clock.after(PING_EVERY_MS, () => this.#keepAlive());
  }

  #end(code: number | null): void {
    if (this.#state === 'over') return;
    this.drop();
    this.#options.onEnd(code);
  }

  #clearDeadline(): void {
    this.#cancelDeadline?.();
    this.#cancelDeadline = null;
  }
}
