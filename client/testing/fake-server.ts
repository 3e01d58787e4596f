/** One room as a log in memory behind a real WebSocket server. Tests decide what fails. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Message } from '../../protocol/events.ts';
import type { ClientFrameOneRoom, ServerFrameOneRoom } from '../../protocol/frames/one-room.ts';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import type { HistoryPage } from '../../protocol/rest/messages.ts';
import type { HistoryQuery } from '../api/api.ts';
import type { ApiError } from '../api/api-error.ts';
import { helloFrame } from './hello.ts';
import { ME } from './messages.ts';

/** Pages are small, so that a test needs few messages for several pages. */
const PAGE = 10;

export class FakeServer {
  readonly log: Message[] = [];
  /** Every frame received. */
  readonly heard: ClientFrameOneRoom[] = [];
  /** The paths, with their queries, of all connections that were admitted. */
  readonly paths: string[] = [];
  epoch = 'e1';
  /** Whether WebSockets get through. Tickets and history always do. */
  admits = true;
  /** Whether a message is stored, and whether that is acknowledged. */
  stores = true;
  acks = true;
  /** The refusal of every REST request. */
  trouble: ApiError | null = null;
  /** The refusal of requests for history. */
  historyTrouble: ApiError | null = null;
  historyReads = 0;
  /** Delays pages of history. */
  gate: Promise<void> = Promise.resolve();
  /** What happens on a connection. By default, the rules of chatroom.v2. */
  onPeer: (peer: WebSocket, request: IncomingMessage) => void = (peer, request) => this.#serve(peer, request);
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (peer, request) => {
      if (!this.admits) return peer.terminate();
      this.paths.push(request.url ?? '');
      peer.on('message', (data) => this.heard.push(JSON.parse(String(data))));
      this.onPeer(peer, request);
    });
  }

  static async start(): Promise<FakeServer> {
    const server = new WebSocketServer({
      port: 0,
      host: '127.0.0.1',
      handleProtocols: () => 'chatroom.v2',
    });
    await once(server, 'listening');
    return new FakeServer(server);
  }

  stop(): void {
    this.drop();
    this.#server.close();
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get peers(): ReadonlySet<WebSocket> {
    return this.#server.clients;
  }

  /** The contents of the log. */
  get logged(): string[] {
    return this.log.map((message) => message.content);
  }

  /** The number of messages received. */
  get received(): number {
    return this.heard.filter(({ type }) => type === 'message').length;
  }

  /** The queries of all connections that were admitted. */
  get queries(): string[] {
    return this.paths.map((path) => new URL(path, 'http://x').searchParams.toString());
  }

  post(content: string, userId = 8, cid?: string): Message {
    const seq = this.log.length + 1;
    const message: Message = {
      type: 'message',
      id: seq * 10,
      room_id: 1,
      user_id: userId,
      username: `u${userId}`,
      content,
      created_at: new Date(seq).toISOString(),
      seq,
      ...(cid === undefined ? {} : { cid }),
    };
    this.log.push(message);
    this.tell(message);
    return message;
  }

  /** Posts `count` messages, named `name 1`, `name 2` … */
  postMany(count: number, name: string): void {
    for (let i = 1; i <= count; i++) this.post(`${name} ${i}`);
  }

  /** Sends a frame to every connection. */
  tell(frame: ServerFrameOneRoom): void {
    for (const peer of this.peers) peer.send(JSON.stringify(frame));
  }

  /** Cuts every connection. */
  drop(): void {
    for (const peer of this.peers) peer.terminate();
  }

  /** Replaces the database by another one, with `count` messages. */
  restore(count: number): void {
    this.epoch = 'e2';
    this.log.length = 0;
    this.postMany(count, 'restored');
  }

  readonly api = {
    ticket: async () => {
      if (this.trouble !== null) throw this.trouble;
      return { ticket: 't', expires_in: 60 };
    },
    history: async (_room: number, { limit = 50, beforeId }: HistoryQuery = {}): Promise<HistoryPage> => {
      this.historyReads += 1;
      const trouble = this.historyTrouble ?? this.trouble;
      if (trouble !== null) throw trouble;
      const range = this.log.filter((message) => message.id < (beforeId ?? Number.POSITIVE_INFINITY));
      const messages = range.slice(-Math.min(limit, PAGE));
      await this.gate;
      const at = { epoch: this.epoch, seq: this.log.length };
      return { messages, has_more: range.length > messages.length, ...at };
    },
  };

  #serve(peer: WebSocket, request: IncomingMessage): void {
    const send = (frame: ServerFrameOneRoom) => peer.send(JSON.stringify(frame));
    this.#welcome(send, new URL(request.url ?? '', 'http://x').searchParams);
    peer.on('message', (data) => {
      const frame = JSON.parse(String(data)) as ClientFrameOneRoom;
      if (frame.type === 'ping') send({ type: 'pong', t: frame.t });
      if (frame.type !== 'message' || !this.stores) return;
      const { content, cid = '' } = frame;
      const known = this.log.find((message) => message.cid === cid);
      const { id, seq, created_at } = known ?? this.post(content, ME.id, cid);
      if (this.acks) send({ type: 'ack', cid, id, seq, created_at });
    });
  }

  #welcome(send: (frame: ServerFrameOneRoom) => void, query: URLSearchParams): void {
    const since = query.has('since') ? Number(query.get('since')) : null;
    const { epoch } = this;
    const seq = this.log.length;
    const isSame = since === 0 || query.get('epoch') === epoch;
    const resumed = since !== null && isSame && since <= seq && seq - since <= RESUME_MAX_BEHIND;
    send(helloFrame({ epoch, seq, resumed }));
    if (resumed) {
      send({ type: 'batch', events: this.log.slice(since) });
      send({ type: 'sync', seq });
    } else if (since !== null) send({ type: 'reset', seq, epoch });
  }
}
