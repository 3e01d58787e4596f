/** A minimal WebSocket client: a net.Socket, a handshake by hand, and raw bytes passed on as they arrive. */
import { createConnection, type Socket } from 'node:net';
import { encodeClientFrame, PONG } from './client-frame.ts';
import { FrameCounter } from './frame-counter.ts';
import type { Door } from './plan.ts';

/** The one buffer that all sockets of the process read into, one after the other. */
const RECEIVE_BUFFER = Buffer.allocUnsafeSlow(256 * 1024);
const HEADERS_END = '\r\n\r\n';

/** Gets the raw bytes of one read. They are overwritten after it returns. */
export type Ear = (bytes: Buffer, length: number) => void;

export class RawSocket {
  readonly counter = new FrameCounter();
  ear: Ear | null;
  /** Called after each read. */
  onRead: (() => void) | null = null;
  readonly #socket: Socket;
  /** The start of the stream as text, until the socket is in its room. */
  #opening: string | null = '';
  #answeredPings = 0;
  readonly #door: Door;
  readonly #onReady: (error: Error | null) => void;
  #upgraded = false;

  private constructor(
    door: Door,
    ticket: string | null,
    ear: Ear | null,
    onReady: (error: Error | null) => void,
  ) {
    this.ear = ear;
    this.#door = door;
    this.#onReady = onReady;
    this.#socket = createConnection({
      host: '127.0.0.1',
      port: door.port,
      noDelay: true,
      onread: { buffer: RECEIVE_BUFFER, callback: (length) => this.#receive(length) },
    });
    this.#socket.on('error', (error) => onReady(error));
    this.#socket.on('close', () => onReady(new Error('the server closed the connection')));
    this.#socket.write(upgradeRequest(door, ticket));
  }

  /** Opens a socket; resolves when it is in its room. `ear` gets everything that follows the handshake. */
  static open(door: Door, ticket: string | null, ear: Ear | null = null): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket: RawSocket = new RawSocket(door, ticket, ear, (error) =>
        error ? reject(error) : resolve(socket),
      );
    });
  }

  send(text: string): void {
    this.#socket.write(encodeClientFrame(text));
  }

  close(): void {
    this.#socket.destroy();
  }

  #receive(length: number): boolean {
    if (this.#opening !== null) {
      this.#open(RECEIVE_BUFFER.subarray(0, length));
      return true;
    }
    this.#take(RECEIVE_BUFFER, length);
    return true;
  }

  #take(bytes: Buffer, length: number): void {
    const { counter } = this;
    counter.take(bytes, length);
    this.ear?.(bytes, length);
    this.onRead?.();
    for (; this.#answeredPings < counter.pings; this.#answeredPings++) this.#socket.write(PONG);
  }

  #open(chunk: Buffer): void {
    this.#opening += chunk.toString('latin1');
    const opening = this.#opening ?? '';
    const end = opening.indexOf(HEADERS_END);
    if (end < 0) return;
    if (!this.#upgraded) {
      if (!opening.startsWith('HTTP/1.1 101 ')) return this.#onReady(new Error(`no upgrade: ${opening}`));
      this.#upgraded = true;
      for (const text of this.#door.hello) this.send(text);
    }
    const { readyMarker } = this.#door;
    if (readyMarker !== null && !opening.includes(readyMarker, end)) return;
    this.#opening = null;
    const frames = Buffer.from(opening.slice(end + HEADERS_END.length), 'latin1');
    this.#take(frames, frames.length);
    this.#onReady(null);
  }
}

function upgradeRequest({ port, path, subprotocol }: Door, ticket: string | null): string {
  const protocols = [subprotocol, ticket && `ticket.${ticket}`].filter((name) => name !== null);
  const lines = [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    // The key only guards against caches (RFC 6455 §10.3), and there are none here.
    'Sec-WebSocket-Key: Um9vbWZ1bCdzIGJlbmNoIQ==',
  ];
  if (protocols.length > 0) lines.push(`Sec-WebSocket-Protocol: ${protocols.join(', ')}`);
  return lines.join('\r\n') + HEADERS_END;
}
