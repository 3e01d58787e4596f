/** The WebSocket of a page: the SDK gets it in place of the browser's. */
import type { WebSocketLike } from '../../client/connection/web-socket.ts';
import type { ConnectionPair, FarEnd } from './connection-pair.ts';
import { FrameReader, maskedFrame, OPCODE } from './websocket-frames.ts';
import type { Owner } from './world.ts';

/** The connection closed without a close frame (RFC 6455 §7.1.5). */
const NO_CLEAN_CLOSE = 1006;
/** In the order of `WebSocket.readyState`. */
const STATES = ['connecting', 'open', 'closing', 'closed'] as const;
const END_OF_HEAD = '\r\n\r\n';

interface Listeners {
  open: () => void;
  error: () => void;
  message: (event: { data: unknown }) => void;
  close: (event: { code: number }) => void;
}

/** Sees every frame that the page sends, and every frame that it receives, before the page does. */
export interface Witness {
  sends(frame: unknown): void;
  hear(frame: unknown): void;
  /** From now on frames may be lost. */
  ends(): void;
}

export const NO_WITNESS: Witness = { sends() {}, hear() {}, ends() {} };

export class PageSocket implements WebSocketLike, FarEnd {
  readonly owner: Owner;
  readonly #witness: Witness;
  readonly #onOpen: () => void;
  readonly #listeners: { [Name in keyof Listeners]?: Listeners[Name] } = {};
  readonly #frames = new FrameReader();
  #state: (typeof STATES)[number] = 'connecting';
  #pair: ConnectionPair | null = null;
  #head = '';
  #closeCode = NO_CLEAN_CLOSE;

  /** `onOpen` is called when the server has accepted the handshake. */
  constructor(owner: Owner, witness: Witness, onOpen: () => void) {
    this.owner = owner;
    this.#onOpen = onOpen;
    this.#witness = witness;
  }

  /** The connection is open, and the handshake is under way. */
  connected(pair: ConnectionPair): void {
    this.#pair = pair;
    if (this.#state === 'closing') pair.end();
  }

  get readyState(): number {
    return STATES.indexOf(this.#state);
  }

  get pair(): ConnectionPair | null {
    return this.#pair;
  }

  addEventListener<Name extends keyof Listeners>(type: Name, listener: Listeners[Name]): void {
    // The SDK adds one listener of each type.
    Object.assign(this.#listeners, { [type]: listener });
  }

  send(data: string): void {
    if (this.#state !== 'open') return;
    this.#witness.sends(JSON.parse(data));
    this.#write(OPCODE.text, Buffer.from(data));
  }

  close(code = 1000): void {
    if (this.#state === 'open') this.#write(OPCODE.close, closePayload(code));
    else if (this.#state === 'connecting') this.#pair?.end();
    if (this.#state !== 'closed') this.#state = 'closing';
  }

  received(bytes: Buffer): void {
    if (this.#state === 'closed') return;
    const rest = this.#state === 'connecting' ? this.#readHead(bytes) : bytes;
    for (const frame of this.#frames.read(rest)) this.#heard(frame.opcode, frame.payload);
  }

  ended(): void {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#pair?.end();
    this.#listeners.close?.({ code: this.#closeCode });
  }

  broken(): void {
    this.#witness.ends();
  }

  /** Returns the bytes that follow the handshake response. */
  #readHead(bytes: Buffer): Buffer {
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return Buffer.alloc(0);
    // After a refusal the connection ends.
    if (!this.#head.startsWith('HTTP/1.1 101 ')) return Buffer.alloc(0);
    this.#state = 'open';
    const rest = Buffer.from(this.#head.slice(end + END_OF_HEAD.length), 'latin1');
    this.#onOpen();
    this.#listeners.open?.();
    return rest;
  }

  #heard(opcode: number, payload: Buffer): void {
    switch (opcode) {
      case OPCODE.text: {
        const data = payload.toString();
        if (this.#state !== 'open') return;
        this.#witness.hear(JSON.parse(data));
        this.#listeners.message?.({ data });
        return;
      }
      case OPCODE.ping:
        return this.#write(OPCODE.pong, payload);
      case OPCODE.close:
        this.#closeCode = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
        if (this.#state === 'open') this.#write(OPCODE.close, payload);
        this.#state = 'closing';
        return;
    }
  }

  #write(opcode: number, payload: Buffer): void {
    this.#pair?.send(maskedFrame(opcode, payload));
  }
}

function closePayload(code: number): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return payload;
}
