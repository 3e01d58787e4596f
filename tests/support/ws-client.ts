/**
 * A chat client that keeps every frame it receives, and one that speaks `chatroom.v1`; `line-client.ts` and `room-line.ts`
 * have those of `chatroom.v2`. They share no code with the SDK, so they are the oracle of the socket tests and of the fault
 * tests.
 */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import type { ZodType } from 'zod';
import { type ClientFrameV1, type ServerFrameV1, serverFrameV1 } from '../../protocol/frames/v1.ts';
import type { ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { undescribed } from './conformance.ts';
import type { Target } from './http.ts';
import { type Closing, Listener } from './listener.ts';
import { issueTicket, type Login } from './users.ts';

type ServerFrame = ServerFrameV1 | ServerFrameV2;

export interface ConnectOptions<F extends ServerFrame = ServerFrameV1> {
  /** The subprotocols to offer before the ticket. With none, the server chooses `chatroom.v1`. */
  protocols?: string[];
  localAddress?: string;
  headers?: Record<string, string>;
  /** Called for every frame as it arrives, from the first one on, before any `waitFor` sees it. */
  onFrame?: (frame: F) => void;
  /** False: frames are only passed to `onFrame`, for clients that receive a lot. */
  keep?: boolean;
}

/** `F`: what it receives; `C`: what it sends. */
export abstract class SocketClient<F extends ServerFrame, C = ClientFrameV1> extends Listener<F> {
  readonly closed: Promise<Closing>;
  readonly #socket: WebSocket;
  readonly #protocol: 'v1' | 'v2';
  readonly #schema: ZodType<F>;
  readonly #options: ConnectOptions<F>;

  /** `socket` must still be opening, so that no frame is missed. */
  protected constructor(
    socket: WebSocket,
    protocol: 'v1' | 'v2',
    schema: ZodType<F>,
    options: ConnectOptions<F>,
  ) {
    super();
    this.#socket = socket;
    this.#protocol = protocol;
    this.#schema = schema;
    this.#options = options;
    socket.on('message', (data, isBinary) => this.#receive(String(data), isBinary));
    socket.on('error', () => {
      // A 'close' event follows.
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        const closing = { code, reason: String(reason) };
        this.end(closing);
        resolve(closing);
      });
    });
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(frame: C): void {
    this.#socket.send(JSON.stringify(frame));
  }

  /** Sends frames in one piece, so that the other end reads them at once. */
  sendTogether(frames: readonly C[]): void {
    // `ws` has no method for it.
    const { _socket: connection } = this.#socket as unknown as { _socket: Socket };
    connection.cork();
    for (const frame of frames) this.send(frame);
    connection.uncork();
  }

  /** Sends any frame, also an invalid one: any text, bytes as a binary frame, or a fragment with `fin: false`. */
  sendRaw(data: string | Uint8Array, options: { binary?: boolean; fin?: boolean } = {}): void {
    this.#socket.send(data, { binary: options.binary ?? typeof data !== 'string', fin: options.fin ?? true });
  }

  /** Stops reading from the network, like a client that hangs; what arrives fills the buffers. */
  stopReading(): void {
    this.#socket.pause();
  }

  readOn(): void {
    this.#socket.resume();
  }

  /** Closes the socket, and waits until the closing handshake is complete. */
  async close(code = 1000): Promise<Closing> {
    this.#socket.close(code);
    return await this.closed;
  }

  /** Cuts the connection without a close frame. */
  async drop(): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  protected async opened(): Promise<void> {
    await once(this.#socket, 'open');
  }

  #receive(text: string, isBinary: boolean): void {
    if (isBinary) return this.violate('the server sent a binary frame');
    const raw: unknown = JSON.parse(text);
    const parsed = this.#schema.safeParse(raw);
    // The schema drops unknown fields, so a difference is a field that the protocol does not have.
    if (!parsed.success || !isDeepStrictEqual(parsed.data, raw))
      return this.violate(`the server sent what the protocol does not know: ${text}`);
    const fault = undescribed(this.#protocol, parsed.data);
    if (fault !== null) return this.violate(fault);
    this.#options.onFrame?.(parsed.data);
    if (this.#options.keep !== false) this.hear(parsed.data);
  }
}

/** Speaks chatroom.v1. */
export class ChatClient extends SocketClient<ServerFrameV1> {
  /** Opens a socket with a ticket that was already issued; rejects when the server refuses the upgrade. */
  static async open(
    target: Target,
    roomId: number,
    ticket: string,
    options: ConnectOptions = {},
  ): Promise<ChatClient> {
    const socket = connect(target, `room_id=${roomId}`, ticket, { protocols: ['chatroom.v1'], ...options });
    const client = new ChatClient(socket, 'v1', serverFrameV1, options);
    await client.opened();
    return client;
  }

  /** Gets a ticket, opens the socket and waits for its own `join`: then this client is in the room. */
  static async enter(
    target: Target,
    login: Login,
    roomId: number,
    options: ConnectOptions = {},
  ): Promise<ChatClient> {
    const client = await ChatClient.open(target, roomId, await issueTicket(target, login, roomId), options);
    await client.waitFor('join', (join) => join.user_id === login.userId);
    return client;
  }

  say(content: string): void {
    this.send({ type: 'message', content });
  }

  /** Waits until the server has processed all earlier frames: it responds in order. */
  async settle(): Promise<void> {
    const pongs = this.of('pong').length;
    this.send({ type: 'ping' });
    await this.waitForCount('pong', pongs + 1);
  }
}

export function connect(
  target: Target,
  query: string,
  ticket: string,
  options: Pick<ConnectOptions, 'protocols' | 'headers' | 'localAddress'>,
): WebSocket {
  const { protocols = [], headers, localAddress } = options;
  return new WebSocket(`ws://127.0.0.1:${target.port}/ws?${query}`, [...protocols, `ticket.${ticket}`], {
    perMessageDeflate: false,
    ...(headers === undefined ? {} : { headers }),
    ...(localAddress === undefined ? {} : { localAddress }),
  });
}
