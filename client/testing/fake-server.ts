/** Rooms as logs in memory behind a real WebSocket server. Tests decide what fails. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Message } from '../../protocol/events.ts';
import type { ClientFrameV2, ReadMark, ServerFrameV2 } from '../../protocol/frames/v2.ts';
import { RESUME_MAX_BEHIND } from '../../protocol/limits.ts';
import type { FlowPage } from '../../protocol/rest/messages.ts';
import type { RoomEntry } from '../../protocol/rooms.ts';
import type { FlowQuery } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { flowPage } from './flow-page.ts';
import { helloFrame, openedFrame } from './hello.ts';
import { ME, ROOM } from './messages.ts';

/** Pages are small, so that a test needs few messages for several pages. */
const PAGE = 10;

type FrameOf<T extends ClientFrameV2['type']> = Extract<ClientFrameV2, { type: T }>;

export class FakeServer {
  /** By room. */
  readonly logs = new Map<number, Message[]>([[ROOM, []]]);
  /** Every frame received. */
  readonly heard: ClientFrameV2[] = [];
  /** The rooms of the user, as `rooms` lists them. */
  readonly entries: RoomEntry[] = [];
  userSeq = 0;
  epoch = 'e1';
  /** Whether WebSockets get through. Tickets and history always do. */
  admits = true;
  /** Whether a message is stored, and whether that is acknowledged. */
  stores = true;
  acks = true;
  /** Whether read marks are confirmed. */
  confirms = true;
  limits = { messages_per_second: 0, message_burst: 0 };
  serverName: string | undefined = undefined;
  emojiStamp: string | undefined = undefined;
  /** Why no room can be opened. */
  openTrouble: { code: string; retryable: boolean; retry_after_ms?: number } | null = null;
  /** Why marks are refused. */
  readTrouble: { code: string; retryable: boolean; retry_after_ms?: number } | null = null;
  /** Why nothing is counted. */
  unreadTrouble: { code: string; retryable: boolean; retry_after_ms?: number } | null = null;
  /** The refusal of every REST request. */
  trouble: ApiError | null = null;
  /** The refusal of requests for history. */
  historyTrouble: ApiError | null = null;
  historyReads = 0;
  tickets = 0;
  /** Delays pages of history. */
  gate: Promise<void> = Promise.resolve();
  /** What happens on a connection. By default, the rules of chatroom.v2. */
  onPeer: (peer: WebSocket, request: IncomingMessage) => void = (peer) => this.#serve(peer);
  readonly #server: WebSocketServer;
  readonly #open = new Map<WebSocket, Set<number>>();

  private constructor(server: WebSocketServer) {
    this.#server = server;
    server.on('connection', (peer, request) => {
      if (!this.admits) return peer.terminate();
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

  /** The log of the first room. */
  get log(): Message[] {
    return this.logOf(ROOM);
  }

  logOf(roomId: number): Message[] {
    const log = this.logs.get(roomId) ?? [];
    this.logs.set(roomId, log);
    return log;
  }

  /** The contents of the log of the first room. */
  get logged(): string[] {
    return this.log.map((message) => message.content);
  }

  heardOf<T extends ClientFrameV2['type']>(type: T): FrameOf<T>[] {
    return this.heard.filter((frame): frame is FrameOf<T> => frame.type === type);
  }

  /** The number of messages received. */
  get received(): number {
    return this.heardOf('message').length;
  }

  /** Where each `open` of the first room resumed; null: nowhere. */
  get positions(): (number | null)[] {
    return this.heardOf('open').flatMap(({ room_id, since }) => (room_id === ROOM ? [since ?? null] : []));
  }

  post(content: string, userId = 8, cid?: string, roomId = ROOM): Message {
    const log = this.logOf(roomId);
    const seq = log.length + 1;
    const message: Message = {
      type: 'message',
      id: seq * 10,
      room_id: roomId,
      user_id: userId,
      username: `u${userId}`,
      content,
      created_at: new Date(seq).toISOString(),
      seq,
      ...(cid === undefined ? {} : { cid }),
    };
    log.push(message);
    for (const [peer, rooms] of this.#open) if (rooms.has(roomId)) send(peer, message);
    return message;
  }

  /** Posts `count` messages to the first room, named `name 1`, `name 2` … */
  postMany(count: number, name: string): void {
    for (let i = 1; i <= count; i++) this.post(`${name} ${i}`);
  }

  /** Sends a frame to every connection. */
  tell(frame: ServerFrameV2): void {
    for (const peer of this.peers) send(peer, frame);
  }

  /** Cuts every connection. */
  drop(): void {
    for (const peer of this.peers) peer.terminate();
    this.#open.clear();
  }

  /** Replaces the database by another one, whose first room has `count` messages. */
  restore(count: number): void {
    this.epoch = 'e2';
    this.drop();
    this.log.length = 0;
    this.postMany(count, 'restored');
  }

  readonly api = {
    ticket: async () => {
      this.tickets += 1;
      if (this.trouble !== null) throw this.trouble;
      return { ticket: 't', expires_in: 60 };
    },
    flow: async (roomId: number, query: FlowQuery = {}): Promise<FlowPage> => {
      this.historyReads += 1;
      const trouble = this.historyTrouble ?? this.trouble;
      if (trouble !== null) throw trouble;
      const log = this.logs.get(roomId) ?? [];
      const { epoch } = this;
      const seq = log.length;
      const page = flowPage(log, query, PAGE);
      await this.gate;
      if (page === null) throw new ApiError(404, 'message not found');
      return { ...page, epoch, seq };
    },
  };

  #serve(peer: WebSocket): void {
    const rooms = new Set<number>();
    let startEpoch: string | undefined;
    this.#open.set(peer, rooms);
    const { content, frame_bytes } = helloFrame().limits;
    const limits = { content, frame_bytes, ...this.limits };
    const { epoch, userSeq: user_seq, serverName: server_name, emojiStamp: emoji } = this;
    send(peer, helloFrame({ epoch, user_seq, limits, server_name, emoji }));
    peer.on('message', (data) => {
      const frame = JSON.parse(String(data)) as ClientFrameV2;
      switch (frame.type) {
        case 'start':
          startEpoch = frame.epoch;
          for (const mark of frame.read ?? []) this.#read(peer, mark);
          return this.#list(peer, frame);
        case 'open':
          rooms.add(frame.room_id);
          return this.#welcome(peer, frame, startEpoch);
        case 'close':
          return void rooms.delete(frame.room_id);
        case 'message':
          return this.#store(peer, frame);
        case 'read':
          if (this.readTrouble)
            return send(peer, { type: 'error', room_id: frame.room_id, content: 'no', ...this.readTrouble });
          return this.#read(peer, frame);
        case 'unread': {
          if (this.unreadTrouble) return send(peer, { type: 'error', content: 'no', ...this.unreadTrouble });
          const wanted = this.entries.filter(({ room }) => frame.room_ids.includes(room.id));
          return send(peer, { type: 'rooms', rooms: wanted, complete: false });
        }
        case 'ping':
          return send(peer, { type: 'pong', t: frame.t });
      }
    });
  }

  #list(peer: WebSocket, { epoch, user_seq }: FrameOf<'start'>): void {
    const isGood = epoch === this.epoch && user_seq !== undefined;
    send(peer, { type: 'rooms', rooms: this.entries, complete: !isGood });
  }

  #welcome(peer: WebSocket, { room_id, since }: FrameOf<'open'>, startEpoch: string | undefined): void {
    const log = this.logs.get(room_id);
    const trouble = this.openTrouble ?? (log === undefined && { code: 'room_not_found', retryable: false });
    if (trouble) return send(peer, { type: 'error', room_id, content: 'no', ...trouble });
    if (log === undefined) return;
    const seq = log.length;
    const isSame = startEpoch === this.epoch;
    const resumed = since !== undefined && isSame && since <= seq && seq - since <= RESUME_MAX_BEHIND;
    send(peer, openedFrame({ room_id, seq, resumed }));
    if (resumed) {
      send(peer, { type: 'batch', room_id, events: log.slice(since) });
      send(peer, { type: 'sync', room_id, seq });
    } else if (since !== undefined) send(peer, { type: 'reset', room_id, seq });
  }

  #store(peer: WebSocket, { room_id, content, cid = '' }: FrameOf<'message'>): void {
    if (!this.stores) return;
    const log = this.logs.get(room_id);
    if (log === undefined) {
      const refusal = { content: 'room not found', code: 'room_not_found', retryable: false };
      return send(peer, { type: 'error', room_id, cid, ...refusal });
    }
    const known = log.find((message) => message.cid === cid);
    const { id, seq, created_at } = known ?? this.post(content, ME.id, cid, room_id);
    if (this.acks) send(peer, { type: 'ack', room_id, cid, id, seq, created_at });
  }

  #read(peer: WebSocket, mark: ReadMark): void {
    const index = this.entries.findIndex(({ room }) => room.id === mark.room_id);
    const entry = this.entries[index];
    if (entry === undefined || !this.confirms || mark.known < entry.me.read_set) return;
    if (!mark.unread && mark.seq <= entry.me.read_seq) return;
    this.userSeq += 1;
    const read_set = mark.unread ? this.userSeq : entry.me.read_set;
    const me = { ...entry.me, read_seq: mark.seq, read_set };
    this.entries[index] = { ...entry, me };
    send(peer, { type: 'me', room_id: mark.room_id, me, user_seq: this.userSeq });
  }
}

function send(peer: WebSocket, frame: ServerFrameV2): void {
  peer.send(JSON.stringify(frame));
}
